import { describe, expect } from 'bun:test';
import fc from 'fast-check';
import { saveShownCounts } from '../../src/ingest/shown-counts.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Change } from '../../src/model/change.ts';
import type { State } from '../../src/state/state.ts';
import type { Connection } from '../../src/store/connection.ts';
import { purgeSteps } from '../../src/store/purge.ts';
import { hasOldShown } from '../../src/store/purge-shown.ts';
import { checkAsync } from '../support/long.ts';
import { EVENT_IDS, fold, randomChanges, WALLETS } from '../support/random-changes.ts';
import { digest } from '../support/state-digest.ts';
import { append, testConnection as it, rowsOf, run } from './purge-support.ts';

const DAY = 86_400;
const CHANGES = randomChanges({ longest: 40, users: ['u0', 'u1'], waits: [0, 1, DAY, 5 * DAY] });
const digestOf = (state: State) => digest(state, { wallets: WALLETS, event_ids: EVENT_IDS });

/** Saves the counts of a state after its changes, as before a purge. */
async function withCounts(connection: Connection, state: State): Promise<void> {
  await saveShownCounts(state, {
    hasOldShown: (now) => hasOldShown(connection.db, now),
    submit: async (changes: Change[]) => append(connection, changes, state.seq),
  });
}

const shownTimes = (rows: readonly Change[]) =>
  rows.flatMap((row) => (row.kind === 'shown' ? [row.applied_at] : []));

describe('shown pages', () => {
  it('are removed after seven days, and items keep their counts wherever a purge is interrupted', async (fresh) => {
    await checkAsync(4, [CHANGES, fc.integer({ min: 1, max: 30 })], async (first, steps) => {
      if (first.length === 0) return;
      const connection = await fresh();
      await append(connection, first, 0);
      const state = fold(first);
      await withCounts(connection, state);
      for (const most of [steps, Number.POSITIVE_INFINITY]) {
        await run(connection, purgeSteps(connection, 20), most);
        const again = fold(await rowsOf(connection));
        expect(digestOf(again)).toEqual(digestOf(state));
        expect(again.feed_days.numbers()).toEqual(state.feed_days.numbers());
      }
      const left = shownTimes(await rowsOf(connection));
      const since = state.applied_at - LIMITS.shown_kept_seconds;
      expect(left).toEqual(shownTimes(first).filter((time) => time >= since));
      expect(await hasOldShown(connection.db, state.applied_at)).toBe(false);
    });
  });

  it('of a purge without stored counts stay', async (fresh) => {
    const connection = await fresh();
    const [changes] = fc.sample(
      CHANGES.filter((some) => some.some(({ kind }) => kind === 'shown')),
      { numRuns: 1, seed: 7 },
    );
    await append(connection, changes, 0);
    await run(connection, purgeSteps(connection), Number.POSITIVE_INFINITY);
    expect(shownTimes(await rowsOf(connection))).toEqual(shownTimes(changes));
  });
});
