import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `interest_recent`, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that users of like taste chose after what the viewer did in the last hours.',
  proposes_for: 'interest_recent',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 4 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best(
        'interest_recent',
        Math.ceil(Math.max(1, request.effort * per_item) * request.page_length),
      ),
});
