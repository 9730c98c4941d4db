import type { Kysely } from 'kysely';
import { metaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** Name of the secret of viewer tokens: 64 hexadecimal digits, drawn once when the data is created. */
export const TOKEN_SECRET = 'token_secret';

export function newTokenSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
}

/** @throws Error if the data has no valid secret */
export async function tokenSecret(db: Kysely<Tables>): Promise<Uint8Array> {
  const bytes = Buffer.from((await metaText(db, TOKEN_SECRET)) ?? '', 'hex');
  if (bytes.length !== 32) throw new Error(`the table 'meta' has no valid '${TOKEN_SECRET}'`);
  return bytes;
}
