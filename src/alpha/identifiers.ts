import { Type } from '@sinclair/typebox';
import { type Check, expected } from '../model/values/refusal.ts';
import type { ValueType } from '../model/values/values.ts';

const CONTRACT = '0x[0-9a-fA-F]{40}';
const ADDRESS = new RegExp(`^${CONTRACT}$`);
const ADDRESS_FORM = '0x and 40 hexadecimal digits';
/** A decimal number without leading zeros, not longer than the largest 256-bit number. */
const DIGITS = '(0|[1-9]\\d{0,77})';
const TOKEN_ID = new RegExp(`^${DIGITS}$`);
const TOKEN_ID_MAX = 2n ** 256n - 1n;

/**
 * Maximum length of an identifier in an error: chain, address and token_id. It is never cut, because the fault is often
 * at the end.
 */
export const SHOWN_ID_LENGTH_MAX = 64 + 1 + 42 + 1 + 78;

/** Checks a wallet address and converts it to lower case, since the case of digits has no meaning. */
export const walletAddress: Check<string> = (value) => {
  if (typeof value === 'string' && ADDRESS.test(value)) return value.toLowerCase();
  return expected(`a wallet address, ${ADDRESS_FORM}`, value, SHOWN_ID_LENGTH_MAX);
};

export interface ItemParts {
  chain: string;
  contract: string;
  /** Undefined for tokens. */
  token_id: string | undefined;
}

/** Makes the check of an `item_id` of one chain. Converts the contract's address to lower case. */
export function itemId(chain: string): Check<string> {
  const form = `${chain}.<contract> or ${chain}.<contract>.<token_id>, the contract being ${ADDRESS_FORM} and the token_id a decimal number of at most 256 bits without leading zeros`;
  return (value) => {
    const parts = typeof value === 'string' ? value.split('.') : [];
    const [given_chain, contract, token_id] = parts;
    const fits = parts.length === 2 || (parts.length === 3 && isTokenId(token_id));
    if (!fits || given_chain !== chain || !ADDRESS.test(contract))
      return expected(form, value, SHOWN_ID_LENGTH_MAX);
    return parts.length === 2
      ? `${chain}.${contract.toLowerCase()}`
      : `${chain}.${contract.toLowerCase()}.${token_id}`;
  };
}

export const WALLET_FORM = 'Address of a wallet: 0x and 40 hexadecimal digits of any case.';
/** Lower case after the check. */
export const Wallet: ValueType<string> = {
  schema: Type.String({ pattern: ADDRESS.source }),
  check: walletAddress,
};

export const ITEM_FORM = '`<chain>.<contract>` for a token, `<chain>.<contract>.<token_id>` for an NFT.';
/** The identifier of a token or NFT of a chain. */
export function itemType(chain: string): ValueType<string> {
  const schema = Type.String({ pattern: `^${chain}\\.${CONTRACT}(\\.${DIGITS})?$` });
  return { schema, check: itemId(chain) };
}

function isTokenId(text: string): boolean {
  return TOKEN_ID.test(text) && BigInt(text) <= TOKEN_ID_MAX;
}

export function itemParts(item_id: string): ItemParts {
  const [chain, contract, token_id] = item_id.split('.');
  return { chain, contract, token_id };
}
