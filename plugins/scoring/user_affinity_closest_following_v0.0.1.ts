import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/** Scores activity of followed users, with more weight on the closest. Momentum orders equal items. Spec 1.2. */
export default defineScoringFunction({
  summary: 'Interactions from the closest connections.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['affinity_closest', 'momentum', 'dislike'],
    (affinity, momentum, dislike) => (0.05 + affinity) * (0.05 + momentum) * (1 - dislike),
    ['dislike'],
  ),
});
