/** Records of the catalog of tokens and NFTs. */
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Metadata } from '../../plugin/index.ts';
import { fieldNames, type Parsed, readRecord, refused } from '../values/record.ts';
import { optional, recordType, required } from '../values/record-type.ts';
import { expected, isPlainObject, type ReadOptions } from '../values/refusal.ts';
import { ITEM_FORM, itemParts, itemType, SHOWN_ID_LENGTH_MAX } from '../values/tokens.ts';
import * as type from '../values/values.ts';
import { demoToken } from './example-ids.ts';
import { CATALOG_PRICES, NFT_FIELDS, TOKEN_FIELDS } from './token-metadata.ts';

/** A token or NFT of the catalog: its identifier and metadata. */
export interface CatalogRecord {
  item_id: string;
  /** Creation time in seconds. It takes precedence over events. */
  created_at?: number;
  /** Moderation: true hides the item from all feeds, false shows it again, undefined changes nothing. */
  hidden?: boolean;
  /** True brings a deleted token or NFT back. */
  revive?: boolean;
  metadata: Metadata;
}

/** Fields of tokens and NFTs beside their metadata. */
function commonFields(chain: string) {
  return {
    item_id: required(itemType(chain), ITEM_FORM, demoToken(chain)),
    created_at: optional(type.Time, 'Creation time. Events do not change it.', 1740830400),
    hidden: optional(
      type.Flag,
      'Moderation: true removes the item from every feed, false restores it. Later records without the field keep it.',
      false,
    ),
    revive: optional(type.Flag, 'True: brings a deleted token or NFT back.', true),
  };
}

/** The records of a chain: either kind, as they are checked, and both together, as they are documented. */
export function catalogRecords(chain: string) {
  const common = { ...commonFields(chain), chain: optional(type.word([chain]), 'The chain.', chain) };
  const of_token = { ...TOKEN_FIELDS, prices: CATALOG_PRICES, ...common };
  const of_nft = { ...NFT_FIELDS, ...common };
  const title = 'CatalogRecord';
  const description = `A token or NFT with any metadata fields of its kind. Together with the stored fields, at most ${LIMITS.metadata_bytes_max} characters of JSON text. \`contract_address\` and \`token_id\` must match \`item_id\`.`;
  return {
    token: recordType(title, description, of_token),
    nft: recordType(title, description, of_nft),
    schema: recordType(title, description, { ...common, ...of_nft, ...of_token }).schema,
  };
}

export const CATALOG_FIELDS = {
  ...fieldNames(recordType('', '', commonFields('')).shape),
  of_tokens: Object.keys(TOKEN_FIELDS),
  of_nfts: Object.keys(NFT_FIELDS),
};

/** Makes the parser for records of `POST /<chain>/items` and lines of `tokens.jsonl`. */
export function catalogParser(
  chain: string,
): (value: unknown, options?: ReadOptions) => Parsed<CatalogRecord> {
  const { token, nft } = catalogRecords(chain);
  const { check } = itemType(chain);
  return (value, options) => {
    const item_id = isPlainObject(value) ? check(value.item_id) : undefined;
    const is_nft = typeof item_id === 'string' && itemParts(item_id).token_id !== undefined;
    const read = is_nft ? readRecord(value, nft.shape, options) : readRecord(value, token.shape, options);
    if (!read.ok) return read;
    const { item_id: id, created_at, hidden, revive, ...metadata } = read.record;
    const faults = contradictions(id, metadata);
    if (faults.length > 0) return { ok: false, faults };
    if (JSON.stringify(metadata).length > LIMITS.metadata_bytes_max)
      return refused('', `expected at most ${LIMITS.metadata_bytes_max} characters of JSON text`);
    return { ...read, record: { item_id: id, created_at, hidden, revive, metadata } };
  };
}

/** Finds fields of an NFT that contradict its identifier. Tokens have no such fields. */
function contradictions(item_id: string, metadata: Record<string, unknown>): Fault[] {
  const { contract: contract_address, token_id } = itemParts(item_id);
  return Object.entries({ contract_address, token_id }).flatMap(([field, said]) => {
    const given = metadata[field];
    if (typeof given !== 'string' || given.toLowerCase() === said) return [];
    const { faults } = expected(`${JSON.stringify(said)}, as item_id says`, given, SHOWN_ID_LENGTH_MAX);
    return faults.map(({ message }) => ({ path: `/${field}`, message }));
  });
}
