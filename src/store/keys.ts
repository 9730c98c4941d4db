import { type Kysely, sql, type Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Edit, writeAudit } from './audit.ts';
import type { Connection } from './connection.ts';
import { increaseMeta, requiredNumber } from './meta.ts';
import type { Reading } from './reading.ts';
import { storedSecret } from './secrets.ts';
import type { Tables } from './tables.ts';
import type { TimedReads } from './timed-reads.ts';

/** The scopes of keys, in the order in which they are listed. */
export const SCOPES = ['feed:read', 'config:write', 'ingest:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** A key as `keys list` shows it. The key itself is not stored. */
export interface KeyRecord {
  key_id: string;
  account: string;
  scopes: Scope[];
  /** seconds */
  created_at: number;
  /** seconds; null if not revoked */
  revoked_at: number | null;
  /** The name that the owner gave it; null for none. */
  name: string | null;
  /** seconds; null if it does not expire */
  expires_at: number | null;
  /** seconds, exact to about a minute; null if never used */
  last_used_at: number | null;
}

export interface KeyDetails {
  name?: string;
  /** seconds; absent if it does not expire */
  expires_at?: number;
  /** Shows the only copy of the key before it becomes valid. If this throws, the key is not created. */
  show?(key: string): void;
}

export interface KeyUse {
  key_id: string;
  /** seconds */
  used_at: number;
}

/** The data that recognises a key. */
export interface KnownKey {
  hash: string;
  key_id: string;
  account: string;
  scopes: Scope[];
  /** Null for none. */
  name: string | null;
  /** seconds; null if it does not expire */
  expires_at: number | null;
}

const ACCOUNT = /^[A-Za-z0-9._-]{1,64}$/;
/** Excludes control characters, so that a list of keys keeps its lines and columns. */
const NAME = /^\P{Cc}{1,100}$/u;

const KEY_PREFIX = 'fl_';

/** Whether a text looks like a key that a service has created. */
export function isCreatedKey(text: string): boolean {
  return text.startsWith(KEY_PREFIX);
}

/** SHA-256 as hexadecimal text. A slow hash would add nothing, because a key has 256 random bits. */
export function hashKey(key: string): string {
  return new Bun.CryptoHasher('sha256').update(key).digest('hex');
}

function randomText(byte_count: number): string {
  return crypto
    .getRandomValues(new Uint8Array(byte_count))
    .toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Draws 256 random bits as the text of a one-time code. */
export function newCode(): string {
  return randomText(32);
}

/** Draws 256 random bits, with a recognisable prefix. */
export function newKey(): string {
  return KEY_PREFIX + randomText(32);
}

function scopesOf(text: string): Scope[] {
  const stored: unknown = JSON.parse(text);
  return SCOPES.filter((scope) => Array.isArray(stored) && stored.includes(scope));
}

function checked(account: string, scopes: readonly Scope[], name: string | undefined): Scope[] {
  if (!ACCOUNT.test(account)) {
    const message = 'an account name is 1 to 64 ASCII letters, digits, -, _ or .';
    throw new ServiceError('invalid_value', message, [{ path: '/account', message }]);
  }
  if (name !== undefined && !NAME.test(name)) {
    const message =
      'the name of a key is 1 to 100 characters without tabs, line breaks and other control characters';
    throw new ServiceError('invalid_value', message, [{ path: '/name', message }]);
  }
  const known = SCOPES.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || known.length < new Set(scopes).size) {
    const message = `scopes are one or more of ${SCOPES.join(', ')}`;
    throw new ServiceError('invalid_value', message, [{ path: '/scopes', message }]);
  }
  return known;
}

const KEY_READS = {
  /** All keys that are not revoked, including expired ones. */
  async all({ db }: Reading): Promise<KnownKey[]> {
    const rows = await db
      .selectFrom('api_keys')
      .select(['hash', 'key_id', 'account', 'scopes', 'name', 'expires_at'])
      .where('revoked_at', 'is', null)
      .execute();
    return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
  },
  /** The secret that signs viewer tokens. It never changes for the same data. */
  tokenSecret: ({ db }: Reading) => storedSecret(db, 'token'),
  /** Increases whenever any process creates or revokes a key. Reads one row. */
  revision: ({ db }: Reading) => requiredNumber(db, 'keys_revision'),
};

const USES_CHUNK = 500;

export async function writeKeyUse(db: Kysely<Tables>, uses: readonly KeyUse[]): Promise<void> {
  for (let start = 0; start < uses.length; start += USES_CHUNK) {
    const chunk = uses.slice(start, start + USES_CHUNK);
    const cases = chunk.map(
      ({ key_id, used_at }) => sql`when ${key_id} then cast(${used_at} as double precision)`,
    );
    const used_at = sql<number>`case key_id ${sql.join(cases, sql` `)} end`;
    await db
      .updateTable('api_keys')
      .set({ last_used_at: used_at })
      .where(
        'key_id',
        'in',
        chunk.map(({ key_id }) => key_id),
      )
      .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', used_at)]))
      .execute();
  }
}

/** A key that `create` stores. */
interface NewKey {
  key_id: string;
  key: string;
  account: string;
  scopes: readonly Scope[];
}

type LockedWork = <T>(work: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** Stores a key, shows it, and puts it in force. */
async function create(
  locked: LockedWork,
  { key_id, key, account, scopes }: NewKey,
  { now, actor }: Edit,
  { name, expires_at, show }: KeyDetails,
): Promise<void> {
  await locked(async (transaction) => {
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
        scopes: JSON.stringify(scopes),
        created_at: now,
        revoked_at: now,
        name: name ?? null,
        expires_at: expires_at ?? null,
        last_used_at: null,
      })
      .execute();
  });
  // Called before the write lock is taken, because a terminal or pipe may block for long.
  show?.(key);
  await locked(async (transaction) => {
    await increaseMeta(transaction, 'keys_revision');
    await transaction
      .updateTable('api_keys')
      .set({ revoked_at: null })
      .where('key_id', '=', key_id)
      .execute();
    const entry = { account, at: now, actor, object: key_id, revision: null };
    await writeAudit(transaction, { ...entry, action: 'key.create' });
  });
}

async function revoke(
  transaction: Transaction<Tables>,
  key_id: string,
  { now, actor }: Edit,
): Promise<boolean> {
  await increaseMeta(transaction, 'keys_revision');
  const key = await transaction
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('key_id', '=', key_id)
    .where('revoked_at', 'is', null)
    .returning('account')
    .executeTakeFirst();
  if (key === undefined) return false;
  const entry = { ...key, at: now, actor, object: key_id, revision: null };
  await writeAudit(transaction, { ...entry, action: 'key.revoke' });
  return true;
}

export type KeyStore = ReturnType<typeof keyStore>;

/**
 * Makes the key store of a database, which several processes may have open.
 * @param noteUse stores the times of use, unless a later one is stored. Works only while a writer runs
 */
export function keyStore(
  { db, lockWrites }: Connection,
  timed_reads: TimedReads,
  noteUse: (uses: readonly KeyUse[]) => Promise<void>,
  patience_seconds: number = LIMITS.store_patience_seconds,
) {
  const locked: LockedWork = (work) =>
    db.transaction().execute(async (transaction) => {
      await lockWrites(transaction, patience_seconds);
      return work(transaction);
    });
  return {
    ...timed_reads.reads('service', KEY_READS),
    noteUse,

    /**
     * Creates a key for `account`, which is created if missing. Only the hash of `key` is stored.
     * @throws ServiceError `invalid_value` for a bad account, a bad name or no scope; errors of `show`
     */
    async create(account: string, scopes: readonly Scope[], edit: Edit, details: KeyDetails = {}) {
      const kept = checked(account, scopes, details.name);
      const created = { key_id: `key_${randomText(9)}`, key: newKey() };
      await create(locked, { ...created, account, scopes: kept }, edit, details);
      return created;
    },

    /** All keys including revoked ones, oldest first. */
    async list(): Promise<KeyRecord[]> {
      const rows = await db
        .selectFrom('api_keys')
        .select([
          'key_id',
          'account',
          'scopes',
          'created_at',
          'revoked_at',
          'name',
          'expires_at',
          'last_used_at',
        ])
        .orderBy('created_at')
        .orderBy('key_id')
        .execute();
      return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
    },

    /** False if there is no such valid key. */
    revoke: (key_id: string, edit: Edit): Promise<boolean> =>
      locked((transaction) => revoke(transaction, key_id, edit)),
  };
}
