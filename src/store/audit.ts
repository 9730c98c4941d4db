import { sql, type Transaction } from 'kysely';
import { DAY_SECONDS } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { AUDIT_ACTIONS, type AuditChange, type AuditEntry } from './audit-entry.ts';
import { minuteOf } from './minute.ts';
import type { Reading } from './reading.ts';
import type { Tables } from './tables.ts';
import type { Reads } from './timed-reads.ts';

export interface Edit {
  /** seconds */
  now: number;
  /** The id of a key, `FEEDLOOM_API_KEY`, or `cli:` followed by the name of an operating system account. */
  actor: string;
}

/** The actions on keys, and all others. Neither displaces entries of the other. */
const OF_KEYS = AUDIT_ACTIONS.filter((action) => action.startsWith('key.'));
const OF_OTHERS = AUDIT_ACTIONS.filter((action) => !action.startsWith('key.'));

/**
 * Adds an entry within the transaction of the change.
 *
 * Changes of one object by one actor within a minute are one entry. An actor with very many entries gets one per action
 * and day, so that the log stays small although no entry is removed for a time.
 */
export async function writeAudit(transaction: Transaction<Tables>, change: AuditChange): Promise<void> {
  const { next } = await transaction
    .selectFrom('audit')
    .select(sql<number>`coalesce(max(audit_id), 0) + 1`.as('next'))
    .executeTakeFirstOrThrow();
  const former = await entryToExtend(transaction, change);
  if (former !== undefined)
    await transaction.deleteFrom('audit').where('audit_id', '=', former.audit_id).execute();
  await transaction
    .insertInto('audit')
    .values({ audit_id: next, ...change, count: (former?.count ?? 0) + 1 })
    .execute();
}

type Extended = Pick<AuditEntry, 'audit_id' | 'count'>;

/** The entry that a change is counted in; undefined if it gets one of its own. */
async function entryToExtend(
  transaction: Transaction<Tables>,
  { account, actor, action, object, at }: AuditChange,
): Promise<Extended | undefined> {
  const of_actor = transaction.selectFrom('audit').where('account', '=', account).where('actor', '=', actor);
  const latest = of_actor
    .select(['audit_id', 'count'])
    .where('action', '=', action)
    .orderBy('audit_id', 'desc')
    .limit(1);
  const { from, before } = minuteOf(at);
  const same = await latest
    .where('at', '>=', from)
    .where('at', '<', before)
    .where('object', '=', object)
    .executeTakeFirst();
  if (same !== undefined) return same;
  const full = await of_actor
    .select('audit_id')
    .where('action', 'in', OF_KEYS.includes(action) ? OF_KEYS : OF_OTHERS)
    .where('at', '>', at - LIMITS.audit_kept_seconds)
    .offset(LIMITS.audit_entries_max - 1)
    .limit(1)
    .executeTakeFirst();
  if (full === undefined) return undefined;
  const day = Math.floor(at / DAY_SECONDS) * DAY_SECONDS;
  return latest
    .where('at', '>=', day)
    .where('at', '<', day + DAY_SECONDS)
    .executeTakeFirst();
}

/** Removes old entries of accounts that have many later ones. */
export async function forgetOldEntries(transaction: Transaction<Tables>, now: number): Promise<void> {
  const oldest_kept = now - LIMITS.audit_kept_seconds;
  for (const actions of [OF_KEYS, OF_OTHERS]) {
    const places = transaction
      .selectFrom('audit')
      .select(['audit_id', 'at'])
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('account').orderBy('audit_id', 'desc'))
          .as('place'),
      )
      .where('action', 'in', actions);
    await transaction
      .deleteFrom('audit')
      .where('audit_id', 'in', (where) =>
        where
          .selectFrom(places.as('placed'))
          .select('placed.audit_id')
          .where('placed.place', '>', LIMITS.audit_entries_max)
          .where('placed.at', '<=', oldest_kept),
      )
      .execute();
  }
}

export const AUDIT_READS = {
  /** Entries of an account, newest first. */
  entries: ({ db }: Reading, account: string, limit: number, offset: number): Promise<AuditEntry[]> =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('account', '=', account)
      .orderBy('audit_id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
};
/** The log of changes to feeds and keys. */
export type AuditStore = Reads<typeof AUDIT_READS>;
