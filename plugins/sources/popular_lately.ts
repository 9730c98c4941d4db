import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items that were wanted most in the last hours and days, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that were popular with everybody in the last hours and days.',
  proposes_for: 'popular_lately',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 2 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best('popular_lately', Math.ceil(Math.max(1, request.effort * per_item) * request.page_length)),
});
