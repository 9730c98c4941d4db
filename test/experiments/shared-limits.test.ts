import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import type { ExperimentContent } from '../../src/state/experiment-content.ts';
import { Experiments } from '../../src/state/experiments.ts';
import { newAccount } from '../http/config-support.ts';
import { halves, type Lab, openLab, PATH, totalsOf } from './support.ts';

/** Keys of viewers that no other viewer of a test has. */
const FIRST_KEY = 100_000_000;

/** Counts a page of each of some viewers whom nothing names, without storing it. */
function countViewers({ server, now }: Lab, arm: number, count: number): void {
  const { experiments } = server.service.state;
  const items = new Uint32Array(0);
  const page = {
    kind: 'impression',
    seq: 0,
    timestamp: now,
    applied_at: now,
    items,
    arm,
    is_short: 0,
  } as const;
  for (let user = FIRST_KEY; user < FIRST_KEY + count; user++) experiments.countPage({ ...page, user });
}

/** Erases some of them. */
function eraseViewers({ server }: Lab, count: number): void {
  for (let user = FIRST_KEY; user < FIRST_KEY + count; user++) server.service.state.experiments.erase(user);
}

describe('the viewers of an account', () => {
  test('are counted while it has fewer than are left free, and leave room for other accounts', async () => {
    await using lab = await openLab();
    await lab.items(2);
    const { left, right } = await lab.feeds();
    const id = await lab.start(left, right);
    const other = await newAccount(lab.server, 'other');
    const feed = await other.add({ endpoint: 'feeds/popular', config: { show_interacted_items: true } });
    const headers = { authorization: '', ...other.headers };
    const made = await lab.call('POST', '', halves(feed, feed), headers);
    const theirs = `${PATH}/${made.body.data.experiment_id}`;
    const resultsOfOther = async () => {
      const { results } = (await lab.server.call('GET', theirs, undefined, headers)).body.data;
      const totals = Object.values(totalsOf(results));
      return {
        viewers: totals.reduce((sum, { viewers }) => sum + Number(viewers), 0),
        is_full: results.is_full,
      };
    };
    const { variants } = lab.server.service.experiments.read(id, 'default').content;
    const seen = { top_k: 1, impression_count: 1 };
    await lab.page('popular', { feed_id: left, user_id: 'early', ...seen });

    countViewers(lab, variants[0].arm, LIMITS.experiment_viewers_max / 2 - 1);
    const { body } = await lab.ask('popular', { feed_id: left, user_id: 'late', ...seen });
    expect(body.experiment.id).toBe(id);
    await lab.page('popular', { feed_id: left, user_id: 'early', ...seen });
    expect((await lab.data(id)).results.is_full).toBe(true);
    expect((await lab.viewers(id)).map((line) => line.split(',').toSpliced(1, 1).slice(0, 2))).toEqual([
      ['early', '2'],
    ]);
    expect(await other.page('popular', { feed_id: feed, user_id: 'early', ...seen })).toHaveLength(1);
    expect(await resultsOfOther()).toEqual({ viewers: 1, is_full: undefined });

    eraseViewers(lab, LIMITS.experiment_viewers_max / 2 - 1);
    await lab.page('popular', { feed_id: left, user_id: 'late', ...seen });
    expect((await lab.data(id)).results.is_full).toBeUndefined();
    expect((await lab.viewers(id)).map((line) => line.split(',')[0])).toEqual(['early', 'late']);
  });
});

describe('shown items', () => {
  const content = (account: string, feed_id: string, arm: number): ExperimentContent => ({
    ...{ account, feed_id, name: 'E', metric: 'like', attribution_hours: 24, status: 'running', salt: 's' },
    variants: [
      { name: 'a', feed_id, percent: 50, arm },
      { name: 'b', feed_id, percent: 50, arm: arm + 1 },
    ],
    ...{ period: 1, period_started_at: 0, ended: [], revision: 1, created_at: 0, updated_at: 0 },
    ...{ actor: 'key_1', operation: 'create' },
  });

  test('of an account are not replaced by those of another account that is shown very many', () => {
    const experiments = new Experiments(7, { viewers_max: 100, exposures_max: 2 ** 13 });
    const stamp = { seq: 0, applied_at: 1_000 };
    const set = (experiment: number, account: string) => {
      const version = content(account, `feed_${experiment}`, 2 * experiment - 1);
      experiments.set({ kind: 'experiment', experiment, content: version, ...stamp });
    };
    const show = (arm: number, user: number, items: readonly number[]) => {
      const page = { kind: 'impression', user, arm, is_short: 0, timestamp: 1_000, ...stamp } as const;
      experiments.countPage({ ...page, items: Uint32Array.from(items) });
    };
    set(1, 'quiet');
    set(2, 'busy');
    show(1, 0, [7, 8]);
    for (let item = 0; item < 20_000; item += 100)
      show(
        3,
        1 + item / 100,
        Array.from({ length: 100 }, (_, at) => item + at),
      );
    expect(experiments.attributedArms(0, 7, 1_000)).toEqual([1]);
    expect(experiments.attributedArms(200, 19_999, 1_000)).toEqual([3]);
    expect(experiments.attributedArms(1, 0, 1_000)).toEqual([]);
    // Half of what the other account leaves, in powers of two.
    expect(experiments.sizes.exposures).toBe(2_048 + 2);
  });
});
