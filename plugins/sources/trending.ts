import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `trending`: one per item of the page. */
export default defineCandidateSource({
  summary: 'Items that trend for everybody.',
  ...bestOf('trending', 1),
});
