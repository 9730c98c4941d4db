import { describe, expect } from 'bun:test';
import fc from 'fast-check';
import { saveShownCounts } from '../../src/ingest/shown-counts.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import type { State } from '../../src/state/state.ts';
import type { Connection } from '../../src/store/connection.ts';
import { purgeSteps } from '../../src/store/purge.ts';
import { hasOldShown, purgeEventsSteps } from '../../src/store/purge-former.ts';
import { SharedLog } from '../../src/store/shared-log.ts';
import { TimedReads } from '../../src/store/timed-reads.ts';
import { checkAsync } from '../support/long.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { EVENT_IDS, fold, randomChanges, WALLETS } from '../support/random-changes.ts';
import { digest } from '../support/state-digest.ts';
import { event, follow, interaction, named, tombstone } from './changes.ts';
import { append, testConnection as it, rowsOf, run } from './purge-support.ts';

/** What a purge does with single kinds of changes. */

const DAY = 86_400;
const [USER, ITEM] = [1, 10];

/** A deletion of all acts of one type, as the last of three changes. */
function history(): Change[] {
  const act = interaction(USER, ITEM);
  const deletion: Change = {
    kind: 'act_deletion',
    user: USER,
    item: ITEM,
    event_type: act.event_type,
    seq: 0,
    applied_at: act.applied_at,
  };
  return [named('user', USER, 'wallet'), act, deletion];
}

/** Runs a purge and notes each sweep as true if it succeeded. A sweep that fails ends the purge. */
async function purgeWith(connection: Connection, succeeds: boolean): Promise<boolean[]> {
  const sweeps: boolean[] = [];
  const sweeper = () => async () => {
    sweeps.push(succeeds);
    return succeeds;
  };
  try {
    for await (const step of purgeSteps({ ...connection, sweeper }))
      if (step === 'sweep' && !(await sweeper()())) break;
  } catch (error) {
    if (succeeds) throw error;
  }
  return sweeps;
}

describe('a purge of deleted acts', () => {
  it('frees their bytes, also after a purge that removed the rows and could not free the bytes', async (fresh) => {
    const connection = await fresh();
    await append(connection, history(), 0);
    expect(await purgeWith(connection, false)).toContain(false);
    expect((await rowsOf(connection)).map(({ kind }) => kind)).toEqual(['name']);
    expect(await purgeWith(connection, true)).toEqual([true]);
    expect(await purgeWith(connection, true)).toEqual([]);
  });

  it('removes exactly the acts that came before a deletion that means them', async (fresh) => {
    const connection = await fresh();
    const act = (timestamp: number, item = ITEM): Change => ({ ...interaction(USER, item), timestamp });
    const deletion = (timestamp?: number, item = ITEM): Change => {
      const { event_type, applied_at } = interaction(USER, ITEM);
      return { kind: 'act_deletion', user: USER, item, event_type, timestamp, seq: 0, applied_at };
    };
    const changes = [
      ...[1, 2, 3, 4].map((time) => act(time)),
      ...[act(1, ITEM + 1), deletion(2), deletion(3), act(2), deletion(9), deletion(3), act(3)],
      ...[act(5, ITEM + 2), deletion(undefined, ITEM + 2), deletion(5, ITEM + 2), act(5, ITEM + 2)],
    ];
    await append(connection, changes, 0);
    const kept = [act(1), act(4), act(1, ITEM + 1), act(2), act(3), act(5, ITEM + 2)];
    await purgeWith(connection, true);
    const left = (await rowsOf(connection)).map((row) => ({ ...row, seq: 0 }));
    expect(left).toEqual(kept.map((row) => ({ ...row, seq: 0 })));
  });

  it('tells nodes that have not read a deletion to load again before its row is gone', async (fresh) => {
    const connection = await fresh();
    await append(connection, history(), 0);
    const timed_reads = new TimedReads(connection, new ManualTimers());
    const log = new SharedLog({ db: connection.db }, timed_reads, () => Promise.reject(new Error('unread')));
    const seen: [number, boolean][] = [];
    for await (const _ of purgeSteps(connection, 1)) {
      const is_left = (await rowsOf(connection)).some(({ kind }) => kind === 'act_deletion');
      seen.push([(await log.head()).purged_seq, is_left]);
    }
    expect(seen.filter(([purged_seq, is_left]) => !is_left && purged_seq < 3)).toEqual([]);
    expect(seen.at(-1)).toEqual([3, false]);
  });
});

const KEPT_DAYS = LIMITS.event_removal_seconds / DAY;

/** Events of all kinds, days apart, mixed with other changes. */
const EVENTS = fc
  .array(
    fc.record({
      days: fc.integer({ min: 0, max: 40 }),
      about: fc.constantFrom('item', 'user', 'nothing', 'no event'),
      action: fc.constantFrom(0, 1),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  )
  .map((steps) => {
    let applied_at = 1_700_000_000;
    return steps.map(({ days, about, action }): Change => {
      applied_at += days * DAY;
      if (about === 'no event') return follow(1, 2, applied_at);
      if (about === 'item') return event({ applied_at, action, item: 5 });
      if (about === 'user') return event({ applied_at, action, space: 'follow', target: 6 });
      // Nothing else is known about an event that was taken back before it arrived.
      return event({ applied_at, action: 0 });
    });
  });

/** The changes that a purge keeps: all but expired removals of events that never arrived. */
function left(changes: readonly Change[]): Change[] {
  const latest = changes.findLast(({ kind }) => kind === 'event')?.applied_at ?? 0;
  return changes.filter((change) => {
    if (change.kind !== 'event' || change.item !== NONE || change.target !== NONE) return true;
    return change.applied_at >= latest - KEPT_DAYS * DAY;
  });
}

describe('removals of events that never arrived', () => {
  it(`are purged after ${KEPT_DAYS} days, and nothing else is, even if the purge is interrupted`, async (fresh) => {
    await checkAsync(
      20,
      [EVENTS, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 12 })],
      async (changes, steps, step_rows) => {
        const connection = await fresh();
        await append(connection, changes, 0);
        const stored = await rowsOf(connection);
        for (const so_many of [steps, Number.POSITIVE_INFINITY]) {
          await run(connection, purgeEventsSteps({ connection, step_rows }), so_many);
        }
        expect(await rowsOf(connection)).toEqual(left(stored));
      },
    );
  });
});

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

const NOW = 1_700_000_000;

it('a purge drops tombstones that are older than 90 days', async (fresh) => {
  const connection = await fresh();
  const changes = [tombstone(-1, NOW - 91 * DAY), tombstone(2, NOW - 89 * DAY), follow(0, 1, NOW)];
  await append(connection, changes, 0);
  await run(connection, purgeSteps(connection), Number.POSITIVE_INFINITY);
  const left = (await rowsOf(connection)).filter(({ kind }) => kind === 'tombstone');
  expect(left).toEqual([{ ...tombstone(2, NOW - 89 * DAY), seq: 2 }]);
});
