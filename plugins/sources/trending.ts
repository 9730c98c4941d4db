import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `trending`: one per item of the page. */
export default defineCandidateSource({
  summary: 'Items that trend in the whole network.',
  ...bestOf('trending', 1),
});
