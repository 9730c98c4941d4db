import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `affinity_closest`: four per item of the page. */
export default defineCandidateSource({
  summary: 'Items that the closest of the followed users posted or interacted with.',
  proposes_for: 'affinity_closest',
  ...bestOf('affinity_closest', 4),
});
