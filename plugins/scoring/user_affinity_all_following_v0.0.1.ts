import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/** Scores activity of followed users, with equal weight per user. Momentum orders equal items. Spec 1.2. */
export default defineScoringFunction({
  summary: 'Interactions from all followed users.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['affinity_all', 'momentum', 'dislike'],
    (affinity, momentum, dislike) => (0.05 + affinity) * (0.05 + momentum) * (1 - dislike),
    ['dislike'],
  ),
});
