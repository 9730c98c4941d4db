import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that users with similar holdings have.',
  proposes_for: 'interest_lasting',
  ...bestOf('interest_lasting', 4),
});
