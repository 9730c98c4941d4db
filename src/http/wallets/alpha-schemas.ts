import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { ListOf, Share, strict, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { WALLET_EVENT_TYPES } from '../../model/acts.ts';
import { DEMO_WALLET, demoNft, demoToken } from '../../model/records/example-ids.ts';
import { catalogRecords } from '../../model/records/token.ts';
import {
  AmountText,
  NFT_FIELDS,
  PRICE,
  PRICE_FIELDS,
  TOKEN_FIELDS,
} from '../../model/records/token-metadata.ts';
import { type Fields, recordType } from '../../model/values/record-type.ts';
import { optional, required } from '../../model/values/schema-parts.ts';
import { itemType, WALLET_FORM, Wallet } from '../../model/values/tokens.ts';
import { named } from '../openapi/schema.ts';
import { recordsBody } from '../transport/body.ts';
import {
  integerParameter,
  optional as maybe,
  parameter,
  timeParameter,
  wordParameter,
} from '../transport/parameters.ts';

const wallet = (description: string, missing?: string) =>
  parameter(required(Wallet.schema, description, DEMO_WALLET), Wallet.check, missing);

export const WalletParameter = wallet('Wallet address. Hexadecimal digits in upper or lower case.');

const TOP_K = { min: 1, max: LIMITS.top_k_max_for_you, absent: LIMITS.top_k_default };

/** The identifier of a token or NFT, with the contract in lower case. */
export function itemParameter(chain: string, missing?: string) {
  const { schema, check } = itemType(chain);
  return parameter(required(schema, 'Identifier of the token or NFT.', demoToken(chain)), check, missing);
}

const IN_QUERY = 'must be given once in the query';

export function eventQuery(chain: string) {
  return {
    wallet_address: wallet(WALLET_FORM, IN_QUERY),
    item_id: itemParameter(chain, IN_QUERY),
    event_type: wordParameter(WALLET_EVENT_TYPES, 'Type of the event.', { example: 'like' }, IN_QUERY),
    timestamp: maybe(
      timeParameter(
        'Time of the event, in the same forms as in events. Default: all events of the type.',
        1764865269,
      ),
    ),
  };
}

export const FEED_QUERY = {
  top_k: integerParameter(
    TOP_K,
    'Number of items.',
    `must be given once, an integer from 1 to ${LIMITS.top_k_max_for_you}`,
  ),
};

/** Fields of records as answers have them: always present, null if unknown. */
function answered(fields: Fields, description: string, others: TProperties = {}): TSchema {
  const { properties } = recordType('', description, fields).schema;
  return Type.Required(Type.Object({ ...properties, ...others }), {
    description,
    additionalProperties: false,
  });
}

const Price = answered(PRICE_FIELDS, 'Price on one marketplace; unknown fields are null.');

const TokenMetadata = answered(TOKEN_FIELDS, 'Metadata of a token; unknown fields are null.', {
  prices: optional(Type.Array(Price), 'Prices by marketplace.', [PRICE.schema.example]),
  supply: optional(AmountText, 'Total supply: an integer as text.', '21000000'),
});

export const AlphaFeedSchema = named(
  'AlphaFeed',
  strict(
    {
      status: Type.Literal('success', { description: 'Always `success`.' }),
      items: ListOf(
        'The items, best first.',
        strict(
          {
            itemId: Text(
              'Identifier of the token or NFT, with the contract in lower case.',
              demoToken('base'),
            ),
            score: Share('Higher is better.', 0.73),
            metadata: Type.Union(
              [
                named('TokenMetadata', TokenMetadata),
                named('NftMetadata', answered(NFT_FIELDS, 'Metadata of an NFT; unknown fields are null.')),
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

export function catalogBody(chain: string) {
  const token = { item_id: demoToken(chain), name: 'Demo Dollar', symbol: 'DUSD', decimals: 18 };
  const nft = { item_id: demoNft(chain), name: 'Meadow 7', collection_name: 'Meadows' };
  return recordsBody(named('CatalogRecord', catalogRecords(chain).schema), token, nft);
}
