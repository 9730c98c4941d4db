import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that followed users posted or interacted with.',
  proposes_for: 'affinity_all',
  ...bestOf('affinity_all', 2),
});
