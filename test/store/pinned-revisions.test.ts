import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import type { ExperimentContent } from '../../src/model/experiment-content.ts';
import type { Store } from '../../src/store/store.ts';
import { editAt } from '../support/edit.ts';
import { EXPERIMENT } from './any-change.ts';
import { ENGINES, serve, withPlace, withServing } from './engines.ts';
import { undoMigrations } from './former-version.ts';

async function run(store: Store, experiment: number, content: Partial<ExperimentContent>): Promise<void> {
  const change = { experiment, content: { ...EXPERIMENT, ...content }, seq: 0, applied_at: 1 };
  await store.submit([{ kind: 'experiment', ...change }]);
}

/** Saves as many versions of a feed within a minute as make the revisions before them superfluous. */
async function change({ feeds }: Store, from: number): Promise<number> {
  const until = from + LIMITS.feed_revisions_latest;
  for (let revision = from; revision < until; revision++)
    await feeds.replace('feed_1', revision, `content ${revision}`, editAt(60 + revision / 1_000));
  return until;
}

const keptOf = async ({ feeds }: Store, ...revisions: number[]) =>
  (await Promise.all(revisions.map((revision) => feeds.revision('feed_1', revision)))).map(
    (found) => found !== undefined,
  );

describe.each([...ENGINES])('revisions that running experiments serve, on $name,', (engine) => {
  test('stay among many later ones, as long as one of the experiments runs with them', () =>
    withServing(engine, async ({ store }) => {
      await store.feeds.create('acme', 'content', editAt(60));
      await store.feeds.replace('feed_1', 1, 'content 1', editAt(60));
      for (const number of [1, 2]) await run(store, number, { pinned: { feed_1: 1 } });
      const next = await change(store, 2);
      expect(await keptOf(store, 1, 2)).toEqual([true, false]);
      await run(store, 1, { status: 'stopped', pinned: { feed_1: 1 } });
      await run(store, 2, { pinned: { feed_1: next } });
      await run(store, 3, { pinned: { feed_1: 4 }, operation: 'delete', status: 'stopped' });
      await change(store, next);
      expect(await keptOf(store, 3, next)).toEqual([false, true]);
    }));

  test('stay when the revisions of their account take too many bytes', () =>
    withServing(engine, async ({ store }, place) => {
      await store.feeds.create('acme', 'content', editAt(60));
      for (const revision of [1, 2, 3])
        await store.feeds.replace('feed_1', revision, 'next', editAt(60 * revision));
      await run(store, 1, { pinned: { feed_1: 1 } });
      await place.run(`update feed_revisions set content_bytes = ${LIMITS.feed_revisions_bytes_max}`);
      const long = 'x'.repeat(LIMITS.feed_revisions_bytes_max / 16);
      await store.feeds.replace('feed_1', 4, long, editAt(400));
      expect(await keptOf(store, 1, 2, 3, 4, 5)).toEqual([true, false, false, false, true]);
    }));

  test('are those of the upgrade for experiments of older versions, whose viewers keep their variants', () =>
    withPlace(engine, async (place) => {
      const before = await serve(place);
      for (const content of ['a', 'b']) await before.store.feeds.create('acme', content, editAt(60));
      await before.store.feeds.replace('feed_2', 1, 'c', editAt(70));
      await run(before.store, 1, {});
      const page = {
        timestamp: 1,
        is_short: false,
        items: Uint32Array.of(3),
        teams: new Uint8Array(),
        point: 0,
      };
      const row = { built_from: 0, number: 1, updated_at: 1, content: new Uint8Array(1), parts: [] };
      await before.store.seen.write([{ viewer: 'a'.repeat(32), ...row, counted: { arm: 2, ...page } }]);
      await before.store.close();
      const { method: _, pinned: __, percent_changes: ___, ...former } = EXPERIMENT;
      const variants = former.variants.map(({ ranges: _, left: __, ...variant }) => variant);
      const content = JSON.stringify({ ...former, name: 'E', variants });
      await place.run(`update experiments set content = '${content}'`);
      await undoMigrations(place, '0036');
      const { store } = await serve(place);
      const stored: ExperimentContent[] = [];
      await store.replay((change) => {
        if (change.kind === 'experiment') stored.push(change.content);
      });
      const [pages] = await store.experiment_rows.pages(2, { viewer: '', number: 0 }, 1);
      await store.close();
      expect(stored).toMatchObject([
        { method: 'split', pinned: { feed_1: 1, feed_2: 2 }, percent_changes: 0, name: 'E' },
      ]);
      expect(stored[0].variants.map(({ ranges, left }) => [ranges, left])).toEqual([
        [[{ from: 0, to: 2 ** 31, cohort: '0' }], []],
        [[{ from: 2 ** 31, to: 2 ** 31 + 2 ** 29, cohort: '0' }], []],
      ]);
      expect(pages.point).toBe(2 ** 31);
      const rows = await place.run('select feed_number, revision, experiment_number from pinned_revisions');
      expect(rows).toHaveLength(2);
    }));
});
