import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that similar users chose after what the viewer did in the last hours.',
  proposes_for: 'interest_recent',
  ...bestOf('interest_recent', 4),
});
