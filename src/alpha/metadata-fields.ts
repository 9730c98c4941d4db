import { count, freeText, listOf } from '../model/values/checks.ts';
import { readRecord, shapeOf } from '../model/values/record.ts';
import {
  type Check,
  Dropped,
  expected,
  type FieldCheck,
  isPlainObject,
  pointerStep,
  Reduced,
  Refusal,
  refuse,
  WARNINGS_MAX,
} from '../model/values/refusal.ts';
import type { Metadata, NftAttribute, NftMetadata, TokenMetadata, TokenPrice } from '../plugin/index.ts';
import { valueAt } from '../state/fields.ts';
import { itemParts } from './identifiers.ts';

/**
 * The metadata fields with their checks.
 *
 * Spec 2.7. The catalog rejects invalid values, and answers leave them out.
 */

export const NAME_LENGTH_MAX = 512;
export const DESCRIPTION_LENGTH_MAX = 10_000;
export const URL_LENGTH_MAX = 8_192;
export const DECIMALS_MAX = 255;
/** The digits of an amount. The limit exceeds what any chain can represent. */
export const AMOUNT = /^\d{1,100}$/;
export const DECIMAL = /^-?\d{1,100}(\.\d{1,200})?$/;

const name = freeText(NAME_LENGTH_MAX);
/** Images may be complete `data:` URLs, which would be too large for a page. */
const url = freeText(URL_LENGTH_MAX);

/** An integer amount: text, which keeps every digit, or a number that has lost none. */
const amount: Check<string> = (value) => {
  if (typeof value === 'string' && AMOUNT.test(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
  return expected('an integer amount as text, such as "21000000"', value);
};

/** A decimal number as text. All its decimals are kept. */
const decimal: Check<string> = (value) =>
  typeof value === 'string' && DECIMAL.test(value)
    ? value
    : expected('a decimal number as text, such as "0.00042"', value);

const cents: Check<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : expected('an integer', value);

const decimals: Check<number> = (value) => {
  const places = count(value);
  if (!(places instanceof Refusal) && places <= DECIMALS_MAX) return places;
  return expected(`an integer from 0 to ${DECIMALS_MAX}`, value);
};

const traitValue: Check<NftAttribute['value']> = (value) => {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (typeof value === 'string') return name(value);
  return expected('a string, a number, true or false', value);
};

type Checks<T> = { readonly [K in keyof T]-?: FieldCheck<T[K]> };

/** An object with exactly the keys of `checks`. Missing values are null. */
function objectOf<T extends object>(checks: Checks<T>, required: readonly (keyof T & string)[]): Check<T> {
  const shape = shapeOf<T>(checks, required);
  const unknown = Object.fromEntries(Object.keys(checks).map((key) => [key, null]));
  return (value) => {
    if (!isPlainObject(value)) return expected('an object', value);
    const read = readRecord(value, shape);
    return read.ok ? { ...unknown, ...read.record } : new Refusal(read.faults);
  };
}

const PRICE_CHECKS: Checks<TokenPrice> = {
  marketplace_id: name,
  marketplace_name: name,
  value_usd_cents: cents,
  value_usd_string: decimal,
  value_usd_string_high_precision: decimal,
  liquidity_usd_string: decimal,
};

const price = objectOf(PRICE_CHECKS, []);

const catalogPrice: Check<TokenPrice> = (value) => {
  const checked = price(value);
  if (checked instanceof Refusal || Object.values(checked).some((part) => part !== null)) return checked;
  return refuse(`expected at least one of ${Object.keys(PRICE_CHECKS).join(', ')}`);
};

/** Prices of the catalog, each with at least one value. Empty prices are accepted from providers only. */
export const CATALOG_PRICES: FieldCheck<TokenPrice[]> = listOf(catalogPrice);

const ATTRIBUTE_CHECKS: Checks<NftAttribute> = { trait_type: name, value: traitValue };

const attribute = objectOf(ATTRIBUTE_CHECKS, ['trait_type', 'value']);

/** In the order of the fields in answers. */
export const TOKEN_CHECKS: Checks<TokenMetadata> = {
  name,
  symbol: name,
  decimals,
  chain: name,
  prices: listOf(price),
  holder_count: count,
  supply: amount,
  created_date: name,
};

export const NFT_CHECKS: Checks<NftMetadata> = {
  name,
  description: freeText(DESCRIPTION_LENGTH_MAX),
  image_url: url,
  collection_name: name,
  attributes: listOf(attribute),
  creator: name,
  chain: name,
  contract_address: name,
  token_id: name,
};

/**
 * Unknown field names within prices of a token or attributes of an NFT, at most `WARNINGS_MAX`.
 *
 * Paths have `*` for the entry. Most unknown fields occur in every entry, and listing each would leave no room for
 * others.
 * @param metadata metadata with valid fields
 */
export function unknownParts(metadata: Metadata, is_nft: boolean): string[] {
  const field = is_nft ? 'attributes' : 'prices';
  const known = is_nft ? ATTRIBUTE_CHECKS : PRICE_CHECKS;
  // Safe: the check of either field only accepts lists of objects.
  const entries = (valueAt(metadata, [field]) ?? []) as object[];
  const unknown = new Set<string>();
  for (const entry of entries) {
    for (const part of Object.keys(entry)) {
      if (Object.hasOwn(known, part)) continue;
      unknown.add(`${field}/*${pointerStep(part)}`);
      if (unknown.size === WARNINGS_MAX) return [...unknown];
    }
  }
  return [...unknown];
}

/** Metadata in an answer: all keys of its kind, with null for unknown values. */
export type AnswerMetadata = Record<string, unknown>;

/** The metadata that the identifier contains. */
function fromId(item_id: string): Metadata {
  const { chain, contract, token_id } = itemParts(item_id);
  return token_id === undefined ? { chain } : { chain, contract_address: contract, token_id };
}

/**
 * Merges metadata of an item. The identifier takes precedence, then earlier sources.
 *
 * Sources are not trusted: invalid values are left out.
 */
export function answerMetadata(item_id: string, sources: readonly (Metadata | undefined)[]): AnswerMetadata {
  const checks: Readonly<Record<string, FieldCheck<unknown>>> =
    itemParts(item_id).token_id === undefined ? TOKEN_CHECKS : NFT_CHECKS;
  const all = [fromId(item_id), ...sources];
  const entries = Object.keys(checks).map((field) => [field, firstSound(all, field, checks[field])]);
  return Object.fromEntries(entries);
}

function firstSound(
  sources: readonly (Metadata | undefined)[],
  field: string,
  check: FieldCheck<unknown>,
): unknown {
  for (const source of sources) {
    const given = source === undefined ? undefined : valueAt(source, [field]);
    if (given === undefined || given === null) continue;
    const checked = check(given);
    if (checked instanceof Reduced) return checked.value;
    if (!(checked instanceof Refusal || checked instanceof Dropped)) return checked;
  }
  return null;
}
