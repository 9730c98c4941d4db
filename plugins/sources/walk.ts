import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `interest_all`: what users of like taste chose. */
export default defineCandidateSource({
  summary: 'Items that users of like taste chose.',
  options: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 5000, default: 400 }) }),
  compile:
    ({ limit }) =>
    (request) =>
      request.best('interest_all', limit),
});
