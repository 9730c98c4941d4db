import type { Kysely, Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import type { Tables } from './tables.ts';

/** What a key may do, in the order in which they are listed. */
export const SCOPES = ['feed:read', 'config:write', 'ingest:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** A key as `keys list` shows it; the key itself is not kept anywhere. */
export interface KeyRecord {
  key_id: string;
  account: string;
  scopes: Scope[];
  /** seconds */
  created_at: number;
  /** seconds; null: in force */
  revoked_at: number | null;
}

/** What is needed to recognise a key. */
export interface KnownKey {
  hash: string;
  key_id: string;
  account: string;
  scopes: Scope[];
}

export interface KeyStore {
  /**
   * A new key for `account`, which is created when absent. `key` is stored hashed.
   * @param show what is done with the only one there is before it is in force; a key for which that fails never is
   * @throws ServiceError `invalid_value` for a bad account name or no scope; what `show` throws
   */
  create(
    account: string,
    scopes: readonly Scope[],
    now: number,
    show?: (key: string) => void,
  ): Promise<{ key_id: string; key: string }>;
  /** Every key, revoked ones too, oldest first. */
  list(): Promise<KeyRecord[]>;
  /** False when there is no such key in force. */
  revoke(key_id: string, now: number): Promise<boolean>;
  /** Every key in force. */
  all(): Promise<KnownKey[]>;
  /** Grows whenever a key is created or revoked, by whatever process; one row to read. */
  revision(): Promise<number>;
}

const ACCOUNT = /^[A-Za-z0-9._-]{1,64}$/;

/** SHA-256, hex. A key has 256 random bits, so there is nothing that a slow hash would protect. */
export function hashKey(key: string): string {
  return new Bun.CryptoHasher('sha256').update(key).digest('hex');
}

function randomText(byte_count: number): string {
  return crypto
    .getRandomValues(new Uint8Array(byte_count))
    .toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** 256 random bits, recognisable by their prefix. */
export function newKey(): string {
  return `fl_${randomText(32)}`;
}

function scopesOf(text: string): Scope[] {
  const stored: unknown = JSON.parse(text);
  return SCOPES.filter((scope) => Array.isArray(stored) && stored.includes(scope));
}

function checked(account: string, scopes: readonly Scope[]): Scope[] {
  if (!ACCOUNT.test(account)) {
    const message = 'an account name is 1 to 64 ASCII letters, digits, -, _ or .';
    throw new ServiceError('invalid_value', message, [{ path: '/account', message }]);
  }
  const known = SCOPES.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || known.length < new Set(scopes).size) {
    const message = `scopes are one or more of ${SCOPES.join(', ')}`;
    throw new ServiceError('invalid_value', message, [{ path: '/scopes', message }]);
  }
  return known;
}

/** See `KeyStore.revision`. */
export async function keysRevision(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'keys_revision')
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

/** See `KeyStore.all`. */
export async function keysInForce(db: Kysely<Tables>): Promise<KnownKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['hash', 'key_id', 'account', 'scopes'])
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
}

async function countUp(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .updateTable('meta')
    .set((value) => ({
      value: value.cast<string>(value(value.cast<number>('value', 'integer'), '+', value.lit(1)), 'text'),
    }))
    .where('name', '=', 'keys_revision')
    .execute();
}

/** The keys in a database, which may be open in several processes. */
export function keyStore(
  { db, lockWrites }: Pick<Connection, 'db' | 'lockWrites'>,
  patience_seconds: number = LIMITS.store_patience_seconds,
): KeyStore {
  return {
    async create(account, scopes, now, show) {
      const kept = checked(account, scopes);
      const key_id = `key_${randomText(9)}`;
      const key = newKey();
      await db.transaction().execute(async (transaction) => {
        await lockWrites(transaction, patience_seconds);
        await transaction
          .insertInto('accounts')
          .values({ name: account, created_at: now })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        await transaction
          .insertInto('api_keys')
          .values({
            key_id,
            hash: hashKey(key),
            account,
            scopes: JSON.stringify(kept),
            created_at: now,
            revoked_at: now,
          })
          .execute();
      });
      // With no lock held: whoever it is shown to may take their time.
      show?.(key);
      await db.transaction().execute(async (transaction) => {
        await lockWrites(transaction, patience_seconds);
        await countUp(transaction);
        await transaction
          .updateTable('api_keys')
          .set({ revoked_at: null })
          .where('key_id', '=', key_id)
          .execute();
      });
      return { key_id, key };
    },

    async list() {
      const rows = await db
        .selectFrom('api_keys')
        .select(['key_id', 'account', 'scopes', 'created_at', 'revoked_at'])
        .orderBy('created_at')
        .orderBy('key_id')
        .execute();
      return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
    },

    revoke: (key_id, now) =>
      db.transaction().execute(async (transaction) => {
        await lockWrites(transaction, patience_seconds);
        await countUp(transaction);
        const { numUpdatedRows } = await transaction
          .updateTable('api_keys')
          .set({ revoked_at: now })
          .where('key_id', '=', key_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    all: () => keysInForce(db),

    revision: () => keysRevision(db),
  };
}
