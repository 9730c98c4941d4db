import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `interest_all`: three per two items of the page. */
export default defineCandidateSource({
  summary: 'Items that similar users chose.',
  proposes_for: 'interest_all',
  ...bestOf('interest_all', 1.5),
});
