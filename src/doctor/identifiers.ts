import { itemId, itemParts, walletAddress } from '../alpha/identifiers.ts';
import type { Names } from '../state/names.ts';
import type { State } from '../state/state.ts';
import { Check } from './check.ts';
import type { Finding } from './finding.ts';

/** Checks that wallets have addresses, and that tokens and NFTs have identifiers of their form. */
export function examineIdentifiers({ users, items }: State): Finding[] {
  const check = new Check('identifiers', 'wallets');
  for (const [key, id] of namesOf(users.names))
    if (walletAddress(id) !== id) check.fault('wallet', `wallet ${key} has no valid address`);
  for (const [key, id] of namesOf(items.names))
    if (itemId(itemParts(id).chain)(id) !== id)
      check.fault('item', `item ${key} has no valid identifier of a token or NFT`);
  return check.findings('all wallets, tokens and NFTs have valid identifiers');
}

function* namesOf(names: Names): Generator<[key: number, id: string]> {
  for (let ordinal = 0; ordinal < names.size; ordinal++)
    if (names.holds(ordinal)) yield [names.key(ordinal), names.id(ordinal)];
}
