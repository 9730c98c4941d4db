import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `interest_recent`, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that users of like taste chose after what the viewer did in the last hours.',
  proposes_for: 'interest_recent',
  ...bestOf('interest_recent', 4),
});
