import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * The default scoring function of for-you feeds. Spec 1.2.
 *
 * Multiplies interest by momentum and raises the score for activity of followed users. The constants keep an item in
 * play if only one signal knows it. All exponents are multiples of 1/4, which square roots compute cheaply.
 */
export default defineScoringFunction({
  summary: 'Momentum and interest, then affinity (the default of for-you feeds).',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'],
    (interest, profile, semantic, momentum, affinity, dislike) => {
      const taste = 0.3 + interest + 0.2 * profile + 0.5 * semantic;
      const pace = Math.sqrt(0.02 + momentum);
      return taste * Math.sqrt(taste) * pace * Math.sqrt(pace) * (1 + 0.3 * affinity) * (1 - dislike);
    },
    ['dislike'],
  ),
});
