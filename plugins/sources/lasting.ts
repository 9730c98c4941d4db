import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `interest_lasting`: what users of like holdings have, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that users of like holdings have.',
  proposes_for: 'interest_lasting',
  ...bestOf('interest_lasting', 4),
});
