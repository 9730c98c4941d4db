import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/** Like `balanced_feed_v0.0.1`, with less weight on momentum and on activity of followed users. Spec 1.2. */
export default defineScoringFunction({
  summary: 'Leans toward user interests.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'],
    (interest, profile, semantic, momentum, affinity, dislike) => {
      const taste = 0.3 + interest + 0.2 * profile + 0.5 * semantic;
      const pace = Math.sqrt(0.02 + momentum);
      return taste * Math.sqrt(taste) * Math.sqrt(pace) * (1 + 0.1 * affinity) * (1 - dislike);
    },
    ['dislike'],
  ),
});
