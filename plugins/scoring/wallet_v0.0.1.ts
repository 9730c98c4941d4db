import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * Scores tokens and NFTs for a wallet, in [0, 1]. Spec 4.3.
 *
 * Combines the holdings of similar wallets, other items of collections that the wallet holds, and current demand. For
 * a wallet without holdings only current demand is known. The exponent raises second and third choices relative to
 * the first.
 */
export default defineScoringFunction({
  summary: 'Tokens and NFTs by the holdings of similar wallets, and by current demand.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_lasting', 'profile', 'momentum', 'popular_lately'],
    (interest, collections, momentum, popular) =>
      (interest ** 0.7 + 0.2 * collections + 0.8 * momentum + 0.2 * popular) / 2.2,
  ),
});
