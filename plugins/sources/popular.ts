import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `popular`: one per item of the page. */
export default defineCandidateSource({
  summary: 'Items that are popular with everybody.',
  ...bestOf('popular', 1),
});
