import { sql } from 'kysely';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import type { Steps } from './purge-work.ts';
import { requireRising } from './row-order.ts';

/** Removals without an event have been purged up to this `seq`. */
const EVENTS_SEQ = 'events_seq';

/**
 * Purges removals of events that never arrived, once they are too old.
 *
 * No other purge would remove them, because they refer to no item and no other user.
 */
export async function* purgeEventsSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
): Steps {
  const { db, values, integersIn } = connection;
  const latest = await db
    .selectFrom('event_ids')
    .select('applied_at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const cutoff = (latest?.applied_at ?? 0) - LIMITS.event_removal_seconds;
  for (let after = await metaNumber(db, EVENTS_SEQ); ; ) {
    const query = sql`select seq, applied_at, action, item_key, target_key from event_ids
      where seq > ${after} order by seq limit ${sql.lit(step_rows)}`;
    const rows = (await values(query.compile(db))).map((row) => row.map(Number));
    requireRising(
      'event_ids',
      rows.map(([seq]) => seq),
      after,
    );
    const old = rows.filter(([, applied_at]) => applied_at < cutoff);
    if (old.length === 0) return;
    const unmet = old.filter(
      ([, , action, item, target]) => action === 0 && item === NONE && target === NONE,
    );
    const seqs = JSON.stringify(unmet.map(([seq]) => seq));
    await db.deleteFrom('event_ids').where('seq', 'in', integersIn(seqs)).execute();
    after = old[old.length - 1][0];
    await setMetaNumber(db, EVENTS_SEQ, after);
    yield 'step';
  }
}
