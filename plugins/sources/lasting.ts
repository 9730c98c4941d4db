import { defineCandidateSource, Type } from 'feedloom/plugin';

/** The items with the highest `interest_lasting`: what users of like holdings have, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that users of like holdings have.',
  proposes_for: 'interest_lasting',
  options: Type.Object({ per_item: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 4 }) }),
  compile:
    ({ per_item }) =>
    (request) =>
      request.best(
        'interest_lasting',
        Math.ceil(Math.max(1, request.effort * per_item) * request.page_length),
      ),
});
