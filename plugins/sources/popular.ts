import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that are popular in the whole network.',
  ...bestOf('popular', 1),
});
