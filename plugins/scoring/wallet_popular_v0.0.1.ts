import { scoredBy } from 'feedloom/plugin';

/** Popular tokens and NFTs. The score is the signal `popular_lately`. Spec 4.3. */
export default scoredBy(
  'popular_lately',
  'popular',
  'Tokens and NFTs that wallets acquired, bid for and liked most in the last hours and days.',
);
