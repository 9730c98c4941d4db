import { Type } from '@sinclair/typebox';
import { expected } from './refusal.ts';
import type { ValueType } from './values.ts';

/** Addresses of wallets, and identifiers of tokens and NFTs of a chain. */

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

export interface ItemParts {
  chain: string;
  contract: string;
  /** Undefined for tokens. */
  token_id: string | undefined;
}

export const WALLET_FORM = 'Address of a wallet: 0x and 40 hexadecimal digits of any case.';
/** Lower case after the check, since the case of digits has no meaning. */
export const Wallet: ValueType<string> = {
  schema: Type.String({ pattern: ADDRESS.source }),
  check: (value) =>
    typeof value === 'string' && ADDRESS.test(value)
      ? value.toLowerCase()
      : expected(`a wallet address, ${ADDRESS_FORM}`, value, SHOWN_ID_LENGTH_MAX),
};

export const ITEM_FORM = '`<chain>.<contract>` for a token, `<chain>.<contract>.<token_id>` for an NFT.';
/** The identifier of a token or NFT of a chain. The check converts the contract's address to lower case. */
export function itemType(chain: string): ValueType<string> {
  const form = `${chain}.<contract> or ${chain}.<contract>.<token_id>, the contract being ${ADDRESS_FORM} and the token_id a decimal number of at most 256 bits without leading zeros`;
  return {
    schema: Type.String({ pattern: `^${chain}\\.${CONTRACT}(\\.${DIGITS})?$` }),
    check: (value) => {
      const parts = typeof value === 'string' ? value.split('.') : [];
      const [given_chain, contract, token_id] = parts;
      const fits = parts.length === 2 || (parts.length === 3 && isTokenId(token_id));
      if (!fits || given_chain !== chain || !ADDRESS.test(contract))
        return expected(form, value, SHOWN_ID_LENGTH_MAX);
      return parts.with(1, contract.toLowerCase()).join('.');
    },
  };
}

function isTokenId(text: string): boolean {
  return TOKEN_ID.test(text) && BigInt(text) <= TOKEN_ID_MAX;
}

export function itemParts(item_id: string): ItemParts {
  const [chain, contract, token_id] = item_id.split('.');
  return { chain, contract, token_id };
}
