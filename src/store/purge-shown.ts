import { type Kysely, sql } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { Purging, Steps } from './purge-work.ts';
import { requireRising } from './row-order.ts';
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
export async function* purgeShownSteps({ connection: { db, integersIn }, step_rows }: Purging): Steps {
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
  for (;;) {
    const rows = await db
      .selectFrom('shown_pages')
      .select(['seq', 'applied_at'])
      .where('seq', '<', counts.seq)
      .orderBy('seq')
      .limit(step_rows)
      .execute();
    const seqs = rows.map(({ seq }) => Number(seq));
    requireRising('shown_pages', seqs, 0);
    const old = seqs.filter((_, at) => rows[at].applied_at < cutoff);
    if (old.length === 0) return;
    await db
      .deleteFrom('shown_pages')
      .where('seq', 'in', integersIn(JSON.stringify(old)))
      .execute();
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
