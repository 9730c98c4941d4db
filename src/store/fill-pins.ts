import type { Kysely } from 'kysely';
import { type ExperimentContent, POINTS } from '../model/experiment-content.ts';
import { keepPinned } from './experiments.ts';
import type { Tables } from './tables.ts';

/** What versions before had of an experiment: the variants lay one after another, and feeds were served as they were. */
type Former = Omit<ExperimentContent, 'variants'> & {
  variants: Omit<ExperimentContent['variants'][number], 'ranges' | 'left'>[];
};

/** Gives stored experiments the ranges that their percents meant, and pins the revisions that their feeds have now. */
export async function fillPins(db: Kysely<Tables>): Promise<void> {
  const feeds = await db.selectFrom('feeds').select(['feed_number', 'revision']).execute();
  const revisions = new Map(feeds.map(({ feed_number, revision }) => [`feed_${feed_number}`, revision]));
  const rows = await db.selectFrom('experiments').selectAll().orderBy('seq').execute();
  for (const { seq, experiment_number: experiment, content: text } of rows) {
    const former = JSON.parse(text) as Former;
    let from = 0;
    const variants = former.variants.map((variant) => {
      const to = Math.min(POINTS, from + Math.round((variant.percent / 100) * POINTS));
      const ranges = to > from ? [{ from, to, cohort: '0' }] : [];
      from = to;
      return { ...variant, ranges, left: [] };
    });
    const pinned = Object.fromEntries(
      variants.flatMap(({ feed_id }) => {
        const revision = revisions.get(feed_id);
        return revision === undefined ? [] : [[feed_id, revision] as const];
      }),
    );
    const content: ExperimentContent = { ...former, method: 'split', variants, pinned, percent_changes: 0 };
    await db
      .updateTable('experiments')
      .set({ content: JSON.stringify(content) })
      .where('seq', '=', seq)
      .execute();
    await keepPinned(db, { experiment, content });
    // Each viewer of an arm had it all the time, so one of its points stands for all.
    for (const { arm, ranges } of variants)
      if (ranges.length > 0)
        await db
          .updateTable('experiment_pages')
          .set({ point: ranges[0].from })
          .where('arm', '=', arm)
          .execute();
  }
}
