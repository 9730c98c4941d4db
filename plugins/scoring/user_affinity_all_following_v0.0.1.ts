import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/** What followed users did, everyone counting alike; among equals, what moves everybody. Spec 1.2. */
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
