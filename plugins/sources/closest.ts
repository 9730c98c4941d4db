import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that the closest of the followed users posted or interacted with.',
  proposes_for: 'affinity_closest',
  ...bestOf('affinity_closest', 4),
});
