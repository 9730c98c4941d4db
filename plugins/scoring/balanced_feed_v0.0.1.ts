import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * The default of for-you feeds: what people of like taste chose, times what moves everybody now, with more
 * for what followed people did. The constants keep an item in play that only one of the signals knows; the
 * powers are of quarters, which square roots compute. Spec 1.2.
 */
export default defineScoringFunction({
  summary: 'Balanced interest and affinity (the default of for-you feeds).',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_all', 'profile', 'momentum', 'affinity_all', 'dislike'],
    (interest, profile, momentum, affinity, dislike) => {
      const taste = 0.3 + interest + 0.2 * profile;
      const pace = Math.sqrt(0.02 + momentum);
      return taste * Math.sqrt(taste) * pace * Math.sqrt(pace) * (1 + 0.3 * affinity) * (1 - dislike);
    },
    ['dislike'],
  ),
});
