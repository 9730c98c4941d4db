import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/** Scores interest from the viewer's interactions of the last hours. Spec 1.2. */
export default defineScoringFunction({
  summary: 'Recent behaviour-driven interests.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_recent', 'momentum', 'dislike'],
    (interest, momentum, dislike) => (0.1 + interest) * (0.02 + momentum) ** 0.3 * (1 - dislike),
    ['dislike'],
  ),
});
