import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that similar users chose.',
  proposes_for: 'interest_all',
  ...bestOf('interest_all', 1.5),
});
