import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `popular`: one per item of the page. */
export default defineCandidateSource({
  summary: 'Items that are popular in the whole network.',
  ...bestOf('popular', 1),
});
