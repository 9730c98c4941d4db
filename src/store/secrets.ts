import type { Kysely } from 'kysely';
import { metaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** Names of the secrets in the table `meta`: 64 hexadecimal digits each, drawn once when the data is created. */
export const SECRETS = {
  /** Signs viewer tokens. */
  token: 'token_secret',
  /** Signs cursors. */
  cursor: 'cursor_secret',
} as const;

export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
}

/** @throws Error if the data has no valid secret of this kind */
export async function storedSecret(db: Kysely<Tables>, kind: keyof typeof SECRETS): Promise<Uint8Array> {
  const bytes = Buffer.from((await metaText(db, SECRETS[kind])) ?? '', 'hex');
  if (bytes.length !== 32) throw new Error(`the table 'meta' has no valid '${SECRETS[kind]}'`);
  return bytes;
}
