import type { Kysely } from 'kysely';
import type { HashKey } from '../columns/keyed-hash.ts';
import { metaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** Random values in the table `meta`, as hexadecimal text. They are drawn once, when the data is created. */

export const SECRETS = {
  /** Signs viewer tokens. */
  token: 'token_secret',
  /** Signs cursors. */
  cursor: 'cursor_secret',
  /** Hashes the ids of viewers in the table `seen`. */
  seen: 'seen_key',
} as const;

/** Name of the key of 8 bytes for hash tables in memory. It has nothing to do with API keys. */
export const TABLE_HASH_KEY = 'hash_key';

export function newSecret(): string {
  return randomHex(32);
}

export function newTableHashKey(): string {
  return randomHex(8);
}

export function storedSecret(db: Kysely<Tables>, kind: keyof typeof SECRETS): Promise<Uint8Array> {
  return storedBytes(db, SECRETS[kind], 32);
}

export async function storedTableHashKey(db: Kysely<Tables>): Promise<HashKey> {
  const bytes = await storedBytes(db, TABLE_HASH_KEY, 8);
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)];
}

function randomHex(byte_count: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(byte_count))).toString('hex');
}

async function storedBytes(db: Kysely<Tables>, name: string, byte_count: number): Promise<Buffer> {
  const bytes = Buffer.from((await metaText(db, name)) ?? '', 'hex');
  if (bytes.length !== byte_count) throw new Error(`the table 'meta' has no valid '${name}'`);
  return bytes;
}
