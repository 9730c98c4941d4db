import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * Scores interest from the whole interaction history. Spec 1.2.
 *
 * The profile and the meaning score items without interactions. Momentum only breaks ties.
 */
export default defineScoringFunction({
  summary: 'Long-term interaction history.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_all', 'profile', 'semantic_interest', 'momentum', 'dislike'],
    (interest, profile, semantic, momentum, dislike) =>
      (interest + 0.1 * profile + 0.5 * semantic + 1e-6 * momentum) * (1 - dislike),
    ['dislike'],
  ),
});
