import { defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * The default of for-you feeds: what people of like taste chose, what followed people did, and a little of
 * what moves everybody, which is all that a viewer without history gets. Spec 1.2.
 */
export default defineScoringFunction({
  summary: 'Balanced interest and affinity (the default of for-you feeds).',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const interest = request.signal('interest_all');
    const affinity = request.signal('affinity_all');
    const trending = request.signal('trending');
    const popular = request.signal('popular');
    return (item) =>
      0.5 * interest(item) + 0.3 * affinity(item) + 0.15 * trending(item) + 0.05 * popular(item);
  },
});
