import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/** Like `balanced_feed_v0.0.1`, with less weight on interest and more on activity of followed users. Spec 1.2. */
export default defineScoringFunction({
  summary: 'Leans toward social-graph affinity.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_all', 'profile', 'momentum', 'affinity_all', 'dislike'],
    (interest, profile, momentum, affinity, dislike) => {
      const pace = Math.sqrt(0.02 + momentum);
      return (0.3 + interest + 0.2 * profile) * pace * Math.sqrt(pace) * (1 + 2 * affinity) * (1 - dislike);
    },
    ['dislike'],
  ),
});
