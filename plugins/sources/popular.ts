import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items that are popular with everybody, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that are popular with everybody.',
  ...bestOf('popular', 1),
});
