import { type Kysely, sql } from 'kysely';
import { LIMITS } from '../limits.ts';
import { oldRows, type Purging, removeSeqs, type Steps } from './purge-work.ts';
import type { Tables } from './tables.ts';

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
  await dropFormerFeedDays(db);
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
  const examined = { table: 'shown_pages', columns: [], until: counts.seq } as const;
  for await (const old of oldRows(purging, examined, cutoff)) {
    await removeSeqs(
      purging.connection,
      'shown_pages',
      old.map(([seq]) => seq),
    );
    yield 'step';
  }
}

/** Removes counts by feed and day, as far as they were stored alone and again later. */
async function dropFormerFeedDays(db: Kysely<Tables>): Promise<void> {
  await sql`delete from shown_counts where is_first = 0 and octet_length(items) = 0
    and seq < (select max(seq) from shown_counts)`.execute(db);
}

/** Removes the names of erased viewers from their pages, which still count. */
export async function blankViewers(
  { connection: { db } }: Purging,
  viewers: Iterable<string>,
): Promise<void> {
  for (const viewer of viewers)
    if (viewer !== '')
      await db.updateTable('shown_pages').set({ viewer: '' }).where('viewer', '=', viewer).execute();
}
