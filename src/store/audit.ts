import { type Kysely, sql, type Transaction } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { AuditChange, AuditEntry } from './audit-entry.ts';
import type { Tables } from './tables.ts';

/** The time and the author of an edit. */
export interface Edit {
  /** seconds */
  now: number;
  /** The id of a key, `FEEDLOOM_API_KEY`, or `cli:` followed by the name of an operating system account. */
  actor: string;
}

export interface AuditStore {
  /** Entries of an account, newest first. */
  entries(account: string, limit: number, offset: number): Promise<AuditEntry[]>;
}

/** Adds an entry within the transaction of the change, and removes the account's oldest entries beyond the limit. */
export async function writeAudit(transaction: Transaction<Tables>, change: AuditChange): Promise<void> {
  const { account } = change;
  const { next } = await transaction
    .selectFrom('audit')
    .select(sql<number>`coalesce(max(audit_id), 0) + 1`.as('next'))
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('audit')
    .values({ audit_id: next, ...change })
    .execute();
  const oldest = await transaction
    .selectFrom('audit')
    .select('audit_id')
    .where('account', '=', account)
    .orderBy('audit_id', 'desc')
    .offset(LIMITS.audit_entries_max)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await transaction
    .deleteFrom('audit')
    .where('account', '=', account)
    .where('audit_id', '<=', oldest.audit_id)
    .execute();
}

/** See `AuditStore.entries`. */
export function auditEntries(
  db: Kysely<Tables>,
  account: string,
  limit: number,
  offset: number,
): Promise<AuditEntry[]> {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('account', '=', account)
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}
