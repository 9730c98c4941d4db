import { ServiceError } from '../errors.ts';
import { asObject } from '../feeds/feed-object.ts';
import { identifier } from '../ingest/records/checks.ts';
import { Refusal } from '../ingest/records/refusal.ts';

/**
 * The body of a feed request that was sent with a viewer token: for that viewer and nobody else.
 * @param ownerOf the user who listed a wallet address
 * @throws ServiceError `forbidden` when it names another user or a wallet of another user
 */
export function forViewer(
  body: unknown,
  viewer: string,
  ownerOf: (wallet_address: string) => string | undefined,
): object {
  const { user_id, wallet_address, ...others } = asObject(body ?? {});
  if (user_id !== undefined && user_id !== null) {
    const given = identifier(user_id);
    // What is no identifier is refused like in any other request.
    if (given instanceof Refusal) return { ...others, user_id };
    if (given !== viewer) throw ofAnother('user_id');
  }
  const has_wallet = typeof wallet_address === 'string' && wallet_address !== '';
  if (has_wallet && ownerOf(wallet_address) !== viewer) throw ofAnother('wallet_address');
  return { ...others, user_id: viewer };
}

function ofAnother(field: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `${field}: this viewer token reads the feeds of another user only; leave ${field} out, or use a token of that user`,
  );
}
