import { blended, defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * Tokens and NFTs for a wallet: what wallets of like holdings have, other items of its collections, and what
 * everybody is after now, which is all that there is for a wallet without holdings. The
 * power lets second and third choices count beside the first. In [0, 1]. Spec 4.3.
 */
export default defineScoringFunction({
  summary: 'Tokens and NFTs by what wallets of like holdings have, and by what everybody is after.',
  feeds: ['for-you'],
  options: Type.Object({}, { additionalProperties: false }),
  ...blended(
    ['interest_lasting', 'profile', 'momentum', 'popular_lately'],
    (interest, collections, momentum, popular) =>
      (interest ** 0.7 + 0.2 * collections + 0.8 * momentum + 0.2 * popular) / 2.2,
  ),
});
