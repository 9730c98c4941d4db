import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * What people of like taste chose, and of that which nobody touched yet what fits the viewer's profile; pace
 * only breaks ties. Spec 1.2.
 */
export default defineScoringFunction({
  summary: 'Long-term interaction history.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_all', 'profile', 'momentum', 'dislike'],
    (interest, profile, momentum, dislike) => (interest + 0.1 * profile + 1e-6 * momentum) * (1 - dislike),
    ['dislike'],
  ),
});
