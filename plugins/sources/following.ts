import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `affinity_all`: two per item of the page. */
export default defineCandidateSource({
  summary: 'Items that followed users posted or interacted with.',
  proposes_for: 'affinity_all',
  ...bestOf('affinity_all', 2),
});
