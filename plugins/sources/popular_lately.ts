import { bestOf, defineCandidateSource } from 'feedloom/plugin';

export default defineCandidateSource({
  summary: 'Items that were popular in the whole network in the last hours and days.',
  proposes_for: 'popular_lately',
  ...bestOf('popular_lately', 2),
});
