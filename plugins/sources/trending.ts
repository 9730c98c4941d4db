import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items that trend for everybody, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that trend for everybody.',
  ...bestOf('trending', 1),
});
