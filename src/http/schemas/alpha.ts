import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { walletEvent } from '../../alpha/event.ts';
import { DEMO_WALLET, demoNft, demoToken, itemIdSchema, WalletSchema } from '../../alpha/example-ids.ts';
import { asWallet, itemId, walletAddress } from '../../alpha/identifiers.ts';
import {
  AMOUNT,
  DECIMAL,
  DECIMALS_MAX,
  DESCRIPTION_LENGTH_MAX,
  NAME_LENGTH_MAX,
  type NFT_CHECKS,
  type TOKEN_CHECKS,
  URL_LENGTH_MAX,
} from '../../alpha/metadata-fields.ts';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { ListOf, ObjectOf, OneOf, strict, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { oneOf } from '../../model/values/checks.ts';
import { refuse } from '../../model/values/refusal.ts';
import {
  Count,
  Flag,
  listOf,
  optional,
  required,
  SafeInteger,
  Time,
} from '../../model/values/schema-parts.ts';
import type { TokenPrice } from '../../plugin/index.ts';
import { WALLET_EVENT_TYPES, type WalletEventType } from '../../state/vocabulary.ts';
import { named } from '../openapi/schema.ts';
import { integerParameter, parameter, queryOf, removalQueryOf, timeParameter } from '../url-parameters.ts';
import { recordsBody } from './ingest.ts';

export const WalletParameter = parameter<string>(
  {
    ...WalletSchema,
    description: 'Wallet address. Hexadecimal digits in upper or lower case.',
    example: DEMO_WALLET,
  },
  (value) => asWallet(String(value)) ?? refuse('expected a wallet address, 0x and 40 hexadecimal digits'),
);

const TOP_K = { min: 1, max: LIMITS.top_k_max_for_you, absent: LIMITS.top_k_default };

/** The identifier of a token or NFT in a path, with the contract in lower case. */
export function itemParameter(chain: string) {
  const check = itemId(chain);
  const shown = { description: 'Identifier of the token or NFT.', example: demoToken(chain) };
  return parameter<string>({ ...itemIdSchema(chain), ...shown }, check);
}

const IN_QUERY = 'must be given once in the query';

export function eventQuery(chain: string) {
  const { description, example, ...item } = itemIdSchema(chain);
  return removalQueryOf({
    wallet_address: parameter<string>(
      { ...WalletSchema, example: DEMO_WALLET },
      (value) => walletAddress(value),
      IN_QUERY,
    ),
    item_id: parameter<string>(
      { ...item, description: 'Identifier of the token or NFT.', example: demoToken(chain) },
      itemId(chain),
      IN_QUERY,
    ),
    event_type: parameter<WalletEventType>(
      OneOf(WALLET_EVENT_TYPES, 'Type of the event.', 'like'),
      oneOf(WALLET_EVENT_TYPES),
      IN_QUERY,
    ),
    timestamp: Type.Optional(
      timeParameter(
        'Time of the event, in the same forms as in events. Default: all events of the type.',
        1764865269,
      ),
    ),
  });
}

export const FeedQuerySchema = queryOf({
  top_k: integerParameter(
    TOP_K,
    'Number of items.',
    `must be given once, an integer from 1 to ${LIMITS.top_k_max_for_you}`,
  ),
});

function text(description: string, example: string, maxLength = NAME_LENGTH_MAX): TSchema {
  return Type.String({ maxLength, description, example });
}

/** A number as text, so that no digit is lost. */
function digits({ source }: RegExp, description: string, example: string): TSchema {
  return Type.String({ pattern: source, description, example });
}

function orNull(schema: TSchema): TSchema {
  const { description, example } = schema;
  return Type.Union([schema, Type.Null()], { description, example });
}

type Fields = Readonly<Record<string, TSchema>>;

/** Fields of an answer: all are required. */
function allOf(fields: Fields, description: string): TSchema {
  const known = Object.entries(fields).map(([field, schema]) => [field, orNull(schema)]);
  return Type.Object(Object.fromEntries(known), { description, additionalProperties: false });
}

/** Fields of a record: all are optional. */
function anyOf(fields: Fields): TProperties {
  const known = Object.entries(fields).map(([field, schema]) => [field, Type.Optional(orNull(schema))]);
  return Object.fromEntries(known);
}

const PRICE_FIELDS: Record<keyof TokenPrice, TSchema> = {
  marketplace_id: text('Identifier of the marketplace.', 'coinbase'),
  marketplace_name: text('Its name.', 'Coinbase'),
  value_usd_cents: required(SafeInteger, 'The price in cents, rounded.', 112),
  value_usd_string: digits(DECIMAL, 'The price in dollars.', '1.12'),
  value_usd_string_high_precision: digits(
    DECIMAL,
    'The price in dollars with all its decimals.',
    '1.120345678901234567',
  ),
  liquidity_usd_string: digits(DECIMAL, 'Tradable liquidity in dollars.', '1048576.5'),
};

const PRICE = allOf(PRICE_FIELDS, 'Price on one marketplace; unknown fields are null.');

const PRICE_OF_RECORD = Type.Object(anyOf(PRICE_FIELDS), {
  description: 'Price on one marketplace: at least one of these fields.',
  minProperties: 1,
});

/** A list of prices or traits. */
function list(entry: TSchema, description: string): TSchema {
  return { ...listOf(entry), description: `${description} The first 1,000 are kept.` };
}

const AttributeSchema = ObjectOf('One trait.', {
  trait_type: text('Name of the trait.', 'background'),
  value: Type.Union([Type.String({ maxLength: NAME_LENGTH_MAX }), Type.Number(), Type.Boolean()], {
    description: 'Its value.',
    example: 'blue',
  }),
});

const TOKEN_FIELDS: Record<keyof typeof TOKEN_CHECKS, TSchema> = {
  name: text('Name.', 'Demo Dollar'),
  symbol: text('Symbol.', 'DUSD'),
  decimals: Type.Integer({
    minimum: 0,
    maximum: DECIMALS_MAX,
    description: 'Decimal places of the smallest unit.',
    example: 18,
  }),
  chain: text('The chain.', 'base'),
  prices: list(PRICE, 'Prices by marketplace.'),
  holder_count: required(Count, 'Number of wallets that hold it.', 1200),
  supply: digits(AMOUNT, 'Total supply: an integer as text.', '21000000'),
  created_date: text('Creation time, ISO 8601.', '2025-03-01T12:00:00Z'),
};

const NFT_FIELDS: Record<keyof typeof NFT_CHECKS, TSchema> = {
  name: text('Name.', 'Meadow 7'),
  description: text('Description.', 'A meadow in the morning.', DESCRIPTION_LENGTH_MAX),
  image_url: text('URL of the image.', 'https://example.com/meadow/7.png', URL_LENGTH_MAX),
  collection_name: text('Name of the collection.', 'Meadows'),
  attributes: list(AttributeSchema, 'Its traits.'),
  creator: text('Address or name of the creator.', '0x00000000000000000000000000000000000000c1'),
  chain: text('The chain.', 'base'),
  contract_address: text('Address of the contract.', '0x00000000000000000000000000000000000d0001'),
  token_id: text('Number of the token within the contract.', '7'),
};

export const AlphaFeedSchema = named(
  'AlphaFeed',
  strict(
    {
      status: Type.Literal('success', { description: 'Always `success`.' }),
      items: ListOf(
        'The items, best first.',
        strict(
          {
            itemId: text(
              'Identifier of the token or NFT, with the contract in lower case.',
              demoToken('base'),
            ),
            score: Type.Number({ minimum: 0, maximum: 1, description: 'Higher is better.', example: 0.73 }),
            metadata: Type.Union(
              [
                named('TokenMetadata', allOf(TOKEN_FIELDS, 'Metadata of a token; unknown fields are null.')),
                named('NftMetadata', allOf(NFT_FIELDS, 'Metadata of an NFT; unknown fields are null.')),
              ],
              { description: 'Metadata of a token or of an NFT, depending on the kind of item.' },
            ),
          },
          'A token or NFT.',
        ),
      ),
      warnings: Type.Optional(WarningsSchema),
    },
    'Ranked tokens and NFTs.',
  ),
);

export function eventSchema(chain: string) {
  return named('WalletEvent', walletEvent(chain).schema);
}

export function eventExamples(chain: string) {
  const value = { wallet_address: DEMO_WALLET, item_id: demoNft(chain), event_type: 'mint' };
  const dated = { ...value, item_id: demoToken(chain), event_type: 'buy', timestamp: 1764865269 };
  return {
    mint: { summary: 'An NFT was minted now', value },
    dated: { summary: 'A token was bought some time ago', value: dated },
  };
}

export const EventAnswerSchema = named(
  'EventAnswer',
  strict(
    {
      status: Type.Literal('success', { description: 'The event is durable and in effect.' }),
      message: Text('Describes the recorded event.', "Event 'mint' recorded"),
      warnings: Type.Optional(WarningsSchema),
    },
    'The event was recorded.',
  ),
);

export function catalogRecordSchema(chain: string) {
  return named(
    'CatalogRecord',
    Type.Object(
      {
        item_id: { ...itemIdSchema(chain), example: demoToken(chain) },
        created_at: optional(Time, 'Creation time. Events do not change it.', 1740830400),
        hidden: optional(
          Flag,
          'Moderation: true removes the item from every feed, false restores it. Later records without the field keep it.',
          false,
        ),
        revive: optional(Flag, 'True: brings a deleted token or NFT back.', true),
        ...anyOf({
          ...NFT_FIELDS,
          ...TOKEN_FIELDS,
          chain: Type.Literal(chain, { description: 'The chain.', example: chain }),
          prices: list(PRICE_OF_RECORD, 'Prices by marketplace.'),
          supply: Type.Union([TOKEN_FIELDS.supply, Count], {
            description: 'Total supply: an integer, as text if it has more than 15 digits.',
            example: '21000000',
          }),
        }),
      },
      {
        description: `A token or NFT with any metadata fields of its kind. Together with the stored fields, at most ${LIMITS.metadata_bytes_max} characters of JSON text. \`contract_address\` and \`token_id\` must match \`item_id\`.`,
        additionalProperties: true,
      },
    ),
  );
}

export function catalogBody(chain: string) {
  const token = { item_id: demoToken(chain), name: 'Demo Dollar', symbol: 'DUSD', decimals: 18 };
  const nft = { item_id: demoNft(chain), name: 'Meadow 7', collection_name: 'Meadows' };
  return recordsBody(token, nft);
}
