import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items that are popular with everybody, some for each item of the
 * page. */
export default defineCandidateSource({
  summary: 'Items that are popular with everybody.',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 1 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('popular', Math.ceil(Math.max(1, request.effort * per_item) * request.page_length)),
});
