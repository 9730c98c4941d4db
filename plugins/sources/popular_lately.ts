import { bestOf, defineCandidateSource } from 'feedloom/plugin';

/** The items that were wanted most in the last hours and days, some for each item of the page. */
export default defineCandidateSource({
  summary: 'Items that were popular with everybody in the last hours and days.',
  proposes_for: 'popular_lately',
  ...bestOf('popular_lately', 2),
});
