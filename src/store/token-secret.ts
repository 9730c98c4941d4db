import type { Kysely } from 'kysely';
import { metaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** What viewer tokens are signed with, as 64 hexadecimal digits: drawn when the data is created, and never changed. */
export const TOKEN_SECRET = 'token_secret';

export function newTokenSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
}

/** @throws Error when the data has none */
export async function tokenSecret(db: Kysely<Tables>): Promise<Uint8Array> {
  const bytes = Buffer.from((await metaText(db, TOKEN_SECRET)) ?? '', 'hex');
  if (bytes.length !== 32) throw new Error(`the table 'meta' has no valid '${TOKEN_SECRET}'`);
  return bytes;
}
