import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items that trend for everybody, some for each item of the
 * page. */
export default defineCandidateSource({
  summary: 'Items that trend for everybody.',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 1 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('trending', Math.ceil(Math.max(1, request.effort * per_item) * request.page_length)),
});
