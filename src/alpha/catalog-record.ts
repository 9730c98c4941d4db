import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { flag, oneOf } from '../model/values/checks.ts';
import { type Parsed, readRecord, refused, type Shape, unknownField } from '../model/values/record.ts';
import {
  expected,
  type FieldCheck,
  isPlainObject,
  type ReadOptions,
  Refusal,
} from '../model/values/refusal.ts';
import { seconds } from '../model/values/time.ts';
import type { Metadata } from '../plugin/index.ts';
import { itemId, itemParts, SHOWN_ID_LENGTH_MAX } from './identifiers.ts';
import { CATALOG_PRICES, NFT_CHECKS, TOKEN_CHECKS, unknownParts } from './metadata-fields.ts';

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

type Fields = Omit<CatalogRecord, 'metadata'> & Record<string, unknown>;

const REQUIRED = ['item_id'] as const;

export const CATALOG_FIELDS = {
  required: REQUIRED,
  optional: ['created_at', 'hidden', 'revive'],
  of_tokens: Object.keys(TOKEN_CHECKS),
  of_nfts: Object.keys(NFT_CHECKS),
} as const;

/** Makes the parser for records of `POST /<chain>/items` and lines of `tokens.jsonl`. */
export function catalogParser(
  chain: string,
): (value: unknown, options?: ReadOptions) => Parsed<CatalogRecord> {
  const check = itemId(chain);
  const common = { item_id: check, created_at: seconds, hidden: flag, revive: flag, chain: oneOf([chain]) };
  const shapeWith = (fields: Readonly<Record<string, FieldCheck<unknown>>>): Shape<Fields> => ({
    checks: new Map<string, FieldCheck<unknown>>(Object.entries({ ...fields, ...common })),
    required: REQUIRED,
  });
  const token = shapeWith({ ...TOKEN_CHECKS, prices: CATALOG_PRICES });
  const nft = shapeWith(NFT_CHECKS);
  return (value, options) => {
    if (!isPlainObject(value)) return refused('', 'expected a JSON object');
    const item_id = check(value.item_id ?? undefined);
    const is_nft = !(item_id instanceof Refusal) && itemParts(item_id).token_id !== undefined;
    const read = readRecord(value, is_nft ? nft : token, options);
    if (!read.ok) return read;
    const { item_id: id, created_at, hidden, revive, ...metadata } = read.record;
    const faults = contradictions(id, metadata);
    if (faults.length > 0) return { ok: false, faults };
    if (JSON.stringify(metadata).length > LIMITS.metadata_bytes_max)
      return refused('', `expected at most ${LIMITS.metadata_bytes_max} characters of JSON text`);
    const warnings = [...read.warnings, ...unknownParts(value, is_nft).map(unknownField)];
    return { ok: true, record: { item_id: id, created_at, hidden, revive, metadata }, warnings };
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
