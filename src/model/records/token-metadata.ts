import { Type } from '@sinclair/typebox';
import type { NftAttribute, NftMetadata, TokenMetadata, TokenPrice } from '../../plugin/index.ts';
import { count } from '../values/checks.ts';
import { type Field, objectOf, optional, recordType, required } from '../values/record-type.ts';
import {
  expected,
  type FieldCheck,
  isPlainObject,
  mapped,
  Reduced,
  Refusal,
  refuse,
} from '../values/refusal.ts';
import { withRounded } from '../values/rounded.ts';
import { Count } from '../values/schema-parts.ts';
import * as type from '../values/values.ts';

/** The metadata of tokens and NFTs. Spec 2.7. The catalog rejects invalid values, and answers leave them out. */

const NAME_LENGTH_MAX = 512;
const DESCRIPTION_LENGTH_MAX = 10_000;
/** Images may be complete `data:` URLs, which would be too large for a page. */
const URL_LENGTH_MAX = 8_192;
const DECIMALS_MAX = 255;
/** The digits of an amount. The limit exceeds what any chain can represent. */
const AMOUNT = /^\d{1,100}$/;
const DECIMAL = /^-?\d{1,100}(\.\d{1,200})?$/;

const Name = type.textUpTo(NAME_LENGTH_MAX);

/** An integer amount in an answer, as text, so that no digit is lost. */
export const AmountText = Type.String({ pattern: AMOUNT.source });

/** An integer amount: text, which keeps every digit, or a number that has lost none. */
const Amount: type.ValueType<string> = {
  schema: Type.Union([AmountText, Count]),
  check: (value) => {
    if (typeof value === 'string' && AMOUNT.test(value)) return value;
    const number = count(value);
    return number instanceof Refusal
      ? expected('an integer amount as text, such as "21000000"', value)
      : String(number);
  },
};

/** A decimal number as text. All its decimals are kept. */
const Decimal: type.ValueType<string> = {
  schema: Type.String({ pattern: DECIMAL.source }),
  check: (value) =>
    typeof value === 'string' && DECIMAL.test(value)
      ? value
      : expected('a decimal number as text, such as "0.00042"', value),
};

const TraitValue: type.ValueType<NftAttribute['value']> = {
  schema: Type.Union([Name.schema, Type.Number(), Type.Boolean()]),
  check: (value) => {
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
    if (typeof value === 'string') return Name.check(value);
    return expected('a string, a number, true or false', value);
  },
};

/** One field for each of `T`, of its type. */
type FieldsFor<T> = { [Name in keyof T]: Field<T[Name]> };

export const PRICE_FIELDS: FieldsFor<TokenPrice> = {
  marketplace_id: optional(Name, 'Identifier of the marketplace.', 'coinbase'),
  marketplace_name: optional(Name, 'Its name.', 'Coinbase'),
  value_usd_cents: optional(
    type.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    'The price in cents, rounded.',
    112,
  ),
  value_usd_string: optional(Decimal, 'The price in dollars.', '1.12'),
  value_usd_string_high_precision: optional(
    Decimal,
    'The price in dollars with all its decimals.',
    '1.120345678901234567',
  ),
  liquidity_usd_string: optional(Decimal, 'Tradable liquidity in dollars.', '1048576.5'),
};

export const PRICE = recordType(
  'TokenPrice',
  'Price on one marketplace: at least one of these fields.',
  PRICE_FIELDS,
);

const NO_PRICE = Object.fromEntries(Object.keys(PRICE_FIELDS).map((name) => [name, null]));
const givenPrice = objectOf(PRICE);

/** Missing values of a price are null. */
const price: FieldCheck<TokenPrice> = (value) =>
  mapped(givenPrice.check(value), (given) => ({ ...NO_PRICE, ...given }) as TokenPrice);

/** A price of the catalog has at least one value. Empty prices are accepted from providers only. */
const catalogPrice: FieldCheck<TokenPrice> = (value) => {
  const checked = price(value);
  const given = checked instanceof Reduced ? checked.value : checked;
  if (given instanceof Refusal || Object.values(given).some((part) => part !== null)) return checked;
  return refuse(`expected at least one of ${Object.keys(PRICE_FIELDS).join(', ')}`);
};

const ATTRIBUTE = recordType('NftAttribute', 'One trait.', {
  trait_type: required(Name, 'Name of the trait.', 'background'),
  value: required(TraitValue, 'Its value.', 'blue'),
});

const attribute = objectOf(ATTRIBUTE);

const Attribute = {
  ...attribute,
  check: ((value, options) => {
    const checked = attribute.check(value, options);
    return isPlainObject(checked) ? withRounded(checked, value) : checked;
  }) satisfies typeof attribute.check,
};

const CHAIN = optional(Name, 'The chain.', 'base');

function pricesOf(check: FieldCheck<TokenPrice>): Field<TokenPrice[]> {
  const schema = { ...PRICE.schema, minProperties: 1 };
  return optional(type.cutList({ schema, check }), `Prices by marketplace.`, [PRICE.schema.example]);
}

/** In the order of the fields in answers. */
export const TOKEN_FIELDS: FieldsFor<TokenMetadata> = {
  name: optional(Name, 'Name.', 'Demo Dollar'),
  symbol: optional(Name, 'Symbol.', 'DUSD'),
  decimals: optional(type.integer(0, DECIMALS_MAX), 'Decimal places of the smallest unit.', 18),
  chain: CHAIN,
  prices: pricesOf(price),
  holder_count: optional(type.Count, 'Number of wallets that hold it.', 1200),
  supply: optional(Amount, 'Total supply: an integer, as text if it has more than 15 digits.', '21000000'),
  created_date: optional(Name, 'Creation time, ISO 8601.', '2025-03-01T12:00:00Z'),
};

/** In place of `prices` of `TOKEN_FIELDS`. */
export const CATALOG_PRICES = pricesOf(catalogPrice);

export const NFT_FIELDS: FieldsFor<NftMetadata> = {
  name: optional(Name, 'Name.', 'Meadow 7'),
  description: optional(type.textUpTo(DESCRIPTION_LENGTH_MAX), 'Description.', 'A meadow in the morning.'),
  image_url: optional(type.textUpTo(URL_LENGTH_MAX), 'URL of the image.', 'https://example.com/meadow/7.png'),
  collection_name: optional(Name, 'Name of the collection.', 'Meadows'),
  attributes: optional(type.cutList(Attribute), `Its traits.`, [ATTRIBUTE.schema.example]),
  creator: optional(Name, 'Address or name of the creator.', '0x00000000000000000000000000000000000000c1'),
  chain: CHAIN,
  contract_address: optional(Name, 'Address of the contract.', '0x00000000000000000000000000000000000d0001'),
  token_id: optional(Name, 'Number of the token within the contract.', '7'),
};
