import { defineScoringFunction, Type } from 'feedloom/plugin';

/** The default of trending feeds: the signal `trending` and nothing else. Spec 1. */
export default defineScoringFunction({
  summary: 'Content that is gathering engagement now (the default of trending feeds).',
  feeds: ['trending'],
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => request.signal('trending'),
  parts: () => (request) => {
    const trending = request.signal('trending');
    return (item) => ({ trending: trending(item) });
  },
});
