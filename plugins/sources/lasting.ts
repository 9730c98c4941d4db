import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `interest_lasting`: four per item of the page. */
export default defineCandidateSource({
  summary: 'Items that users with similar holdings have.',
  proposes_for: 'interest_lasting',
  ...bestOf('interest_lasting', 4),
});
