import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `affinity_all`: what followed users posted or interacted with. */
export default defineCandidateSource({
  summary: 'Items that followed users posted or interacted with.',
  options: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 5000, default: 400 }) }),
  compile:
    ({ limit }) =>
    (request) =>
      request.best('affinity_all', limit),
});
