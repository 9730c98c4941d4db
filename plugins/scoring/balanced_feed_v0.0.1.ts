import { defineScoringFunction, Type } from 'feedloom/plugin';

/** What each signal counts; they add up to 1. */
const WEIGHTS = { interest_all: 0.5, affinity_all: 0.3, trending: 0.15, popular: 0.05 };

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
      WEIGHTS.interest_all * interest(item) +
      WEIGHTS.affinity_all * affinity(item) +
      WEIGHTS.trending * trending(item) +
      WEIGHTS.popular * popular(item);
  },
  // In the order in which they are added, so that they sum to the score to the last bit.
  parts: () => (request) => {
    const terms = Object.entries(WEIGHTS).map(([name, weight]) => ({
      name,
      weight,
      signal: request.signal(name),
    }));
    return (item) =>
      Object.fromEntries(terms.map(({ name, weight, signal }) => [name, weight * signal(item)]));
  },
});
