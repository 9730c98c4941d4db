import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items with the highest `popular_lately`: two per item of the page. */
export default defineCandidateSource({
  summary: 'Items that were popular in the whole network in the last hours and days.',
  proposes_for: 'popular_lately',
  ...bestOf('popular_lately', 2),
});
