import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `affinity_all`: what followed users posted or interacted with, some for each item of the
 * page. */
export default defineCandidateSource({
  summary: 'Items that followed users posted or interacted with.',
  proposes_for: 'affinity_all',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 2 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('affinity_all', Math.ceil(Math.max(1, request.effort * per_item) * request.page_length)),
});
