import { scoredBy } from 'feedloom/plugin';

export default scoredBy(
  'popular_lately',
  'popular',
  'Tokens and NFTs that wallets acquired, bid for and liked most in the last hours and days.',
);
