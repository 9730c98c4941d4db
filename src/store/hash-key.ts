import type { Kysely } from 'kysely';
import type { HashKey } from '../columns/keyed-hash.ts';
import { metaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** Name of the key for hash tables in memory: 16 hexadecimal digits, drawn once when the data is created. */
export const HASH_KEY = 'hash_key';

/** Draws a random key. */
export function newHashKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex');
}

/** @throws Error if the data has no valid key */
export async function hashKey(db: Kysely<Tables>): Promise<HashKey> {
  const text = (await metaText(db, HASH_KEY)) ?? '';
  const bytes = Buffer.from(text, 'hex');
  if (bytes.length !== 8) throw new Error(`the table 'meta' has no valid '${HASH_KEY}'`);
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)];
}
