import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items that are popular with everybody. */
export default defineCandidateSource({
  summary: 'Items that are popular with everybody.',
  options: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 5000, default: 100 }) }),
  compile:
    ({ limit }) =>
    (request) =>
      request.best('popular', limit),
});
