import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `interest_all`: what users of like taste chose, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that users of like taste chose.',
  proposes_for: 'interest_all',
  ...bestOf('interest_all', 1.5),
});
