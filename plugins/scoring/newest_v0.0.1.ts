import { defineScoringFunction, Type } from 'feedloom/plugin';

/** The time of an item: the newest first, exactly. */
export default defineScoringFunction({
  summary: 'The newest content first. The score is the time of an item, in seconds since 1970.',
  ranked_by: 'newest',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => request.item.created_at(item),
  parts: () => (request) => (item) => ({ created_at: request.item.created_at(item) }),
});
