import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { oldRows, removeSeqs, type Steps } from './purge-work.ts';

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
  const { db } = connection;
  const latest = await db
    .selectFrom('event_ids')
    .select('applied_at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const cutoff = (latest?.applied_at ?? 0) - LIMITS.event_removal_seconds;
  const after = await metaNumber(db, EVENTS_SEQ);
  const examined = { table: 'event_ids', columns: ['action', 'item_key', 'target_key'], after } as const;
  for await (const old of oldRows({ connection, step_rows }, examined, cutoff)) {
    const unmet = old.filter(([, action, item, target]) => action === 0 && item === NONE && target === NONE);
    await removeSeqs(
      connection,
      'event_ids',
      unmet.map(([seq]) => seq),
    );
    await setMetaNumber(db, EVENTS_SEQ, old[old.length - 1][0]);
    yield 'step';
  }
}
