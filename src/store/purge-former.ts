import { type Kysely, sql } from 'kysely';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import { ROWS_OF_ARMS, storedArms } from './experiment-rows.ts';
import { openArms } from './experiments.ts';
import { latestRow, latestSeq, latestTrend, learntUntil } from './latest.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { oldRows, type Purging, removeSeqs, type Steps } from './purge-work.ts';
import type { Tables } from './tables.ts';

/** Purges of rows that later rows replace, or that are too old. Nobody has to be erased for them. */

/** Removes rows that are replaced or old at once, because they are few. */
export async function dropFormer(db: Kysely<Tables>): Promise<void> {
  await dropFormerTrends(db);
  await dropOldModels(db);
  await dropOldTombstones(db);
  await dropFormerExperiments(db);
  await dropFormerFeedDays(db);
}

/** Removes all rows with learnt trends, and with what was learnt from shown pages, but the latest. */
export async function dropFormerTrends(db: Kysely<Tables>): Promise<void> {
  const latest = await latestTrend(db);
  await db.deleteFrom('trends').where('seq', '<', latest).execute();
  await db
    .deleteFrom('learnings')
    .where('seq', '<', await latestSeq(db, 'learnings'))
    .execute();
}

/** Removes the history of models. What was done to them is part of what is stored of all that was learnt. */
async function dropOldModels(db: Kysely<Tables>): Promise<void> {
  const { applied_at: now = 0 } = (await latestRow(db)) ?? {};
  await db
    .deleteFrom('models')
    .where('seq', '<=', await learntUntil(db))
    .where('applied_at', '<', now - LIMITS.model_history_seconds)
    .execute();
}

async function dropOldTombstones(db: Kysely<Tables>): Promise<void> {
  const { applied_at: now = 0 } = (await latestRow(db)) ?? {};
  await db
    .deleteFrom('tombstones')
    .where('seq', '<=', await learntUntil(db))
    .where('applied_at', '<=', now - LIMITS.tombstone_seconds - 1)
    .execute();
}

/**
 * Removes former versions of experiments, of which `noteExperiments` leaves some. The latest version stays.
 *
 * A replay gives the same state, from nothing, from a checkpoint, and at a node that follows and has read any part of the
 * rows. So this needs neither a new checkpoint nor `purged_seq`.
 */
async function dropFormerExperiments(db: Kysely<Tables>): Promise<void> {
  await sql`delete from experiments where seq < (
    select max(seq) from experiments as later
    where later.experiment_number = experiments.experiment_number and later.seq <= ${await learntUntil(db)}
  )`.execute(db);
}

/** Removes counts by feed and day, as far as they were stored alone and again later. */
async function dropFormerFeedDays(db: Kysely<Tables>): Promise<void> {
  await sql`delete from shown_counts where is_first = 0 and octet_length(items) = 0
    and seq < (select max(seq) from shown_counts)`.execute(db);
}

/** Rows that are removed at once, but for further ones of the last viewer. */
const ROWS_PER_STEP = 10_000;

/** Removes the rows of ended periods. No steps if there are none. */
export async function* purgeArmsSteps(db: Kysely<Tables>): Steps {
  const stored: [(typeof ROWS_OF_ARMS)[number], number][] = [];
  for (const table of ROWS_OF_ARMS) for (const arm of await storedArms(db, table)) stored.push([table, arm]);
  if (stored.length === 0) return;
  // Read last, because an experiment may begin meanwhile.
  const open = new Set(await openArms(db));
  for (const [table, arm] of stored) {
    if (open.has(arm)) continue;
    for (let is_last = false; !is_last; ) {
      const from = db.selectFrom(table).select('viewer').where('arm', '=', arm).orderBy('viewer');
      const next = await from.offset(ROWS_PER_STEP).limit(1).executeTakeFirst();
      is_last = next === undefined;
      const rows = db.deleteFrom(table).where('arm', '=', arm);
      await (next === undefined ? rows : rows.where('viewer', '<=', next.viewer)).execute();
      yield 'step';
    }
  }
}

/** Removals without an event have been purged up to this `seq`. */
const EVENTS_SEQ = 'events_seq';

/**
 * Purges removals of events that never arrived, once they are too old.
 *
 * No other purge would remove them, because they refer to no item and no other user.
 */
export async function* purgeEventsSteps(purging: Purging): Steps {
  const { connection } = purging;
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
  for await (const old of oldRows(purging, examined, cutoff)) {
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

/** Whether there are shown pages that are too old at a time in seconds. Reads one row. */
export async function hasOldShown(db: Kysely<Tables>, now: number): Promise<boolean> {
  const first = await db
    .selectFrom('shown_pages')
    .select('applied_at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return first !== undefined && first.applied_at < now - LIMITS.shown_kept_seconds;
}

/** Removes old shown pages that are covered by stored counts, and former counts. */
export async function* purgeShownSteps(purging: Purging): Steps {
  const { db } = purging.connection;
  const counts = await db
    .selectFrom('shown_counts')
    .select(['seq', 'applied_at'])
    .where('is_first', '=', 1)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (counts === undefined) return;
  await db.deleteFrom('shown_counts').where('seq', '<', counts.seq).execute();
  const cutoff = counts.applied_at - LIMITS.shown_kept_seconds;
  // Later pages are not learnt from yet.
  const until = Math.min(counts.seq, await learntUntil(db));
  const examined = { table: 'shown_pages', columns: [], until } as const;
  for await (const old of oldRows(purging, examined, cutoff)) {
    await removeSeqs(
      purging.connection,
      'shown_pages',
      old.map(([seq]) => seq),
    );
    yield 'step';
  }
}

/** Removes the names of erased viewers from their pages before the erasure, which still count. */
export async function blankViewers(
  { connection: { db } }: Purging,
  viewers: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [viewer, erased_seq] of viewers)
    if (viewer !== '')
      await db
        .updateTable('shown_pages')
        .set({ viewer: '' })
        .where('viewer', '=', viewer)
        .where('seq', '<', erased_seq)
        .execute();
}
