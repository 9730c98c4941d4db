import { ServiceError } from '../../errors.ts';
import { identifier } from '../../model/values/checks.ts';
import { Refusal } from '../../model/values/refusal.ts';
import { objectIn } from '../transport/body.ts';

/**
 * Restricts the body of a feed request to the viewer of its token.
 * @param ownerOf finds the user who listed a wallet address
 * @throws ServiceError `forbidden` if it names another user or another user's wallet
 */
export function forViewer(
  body: unknown,
  viewer: string,
  ownerOf: (wallet_address: string) => string | undefined,
): object {
  const { user_id, wallet_address, ...others } = objectIn(body ?? {});
  if (user_id !== undefined && user_id !== null) {
    const given = identifier(user_id);
    // An invalid identifier is refused later, as in any other request.
    if (given instanceof Refusal) return { ...others, user_id };
    if (given !== viewer) throw ofAnother('user_id');
  }
  const has_wallet = typeof wallet_address === 'string' && wallet_address !== '';
  if (has_wallet && ownerOf(wallet_address) !== viewer) throw ofAnother('wallet_address');
  return { ...others, user_id: viewer };
}

/** The error of a request with a viewer token that names another user in `field`. */
export function ofAnother(field: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `${field}: this viewer token reads the feeds of another user only; leave ${field} out, or use a token of that user`,
  );
}
