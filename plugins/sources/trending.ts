import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that trend in the whole network.',
  ...bestOf('trending', 1),
});
