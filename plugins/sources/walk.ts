import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `interest_all`: what users of like taste chose, some for each item of the
 * page. */
export default defineCandidateSource({
  summary: 'Items that users of like taste chose.',
  proposes_for: 'interest_all',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 1.5 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('interest_all', Math.ceil(Math.max(1, request.effort * per_item) * request.page_length)),
});
