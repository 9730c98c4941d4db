import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items that trend for everybody. */
export default defineCandidateSource({
  summary: 'Items that trend for everybody.',
  options: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 5000, default: 100 }) }),
  compile:
    ({ limit }) =>
    (request) =>
      request.best('trending', limit),
});
