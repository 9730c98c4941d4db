import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `affinity_closest`, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that the closest of the followed users posted or interacted with.',
  proposes_for: 'affinity_closest',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 4 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best(
        'affinity_closest',
        Math.ceil(Math.max(1, request.effort * per_item) * request.page_length),
      ),
});
