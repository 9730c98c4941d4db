import { describe, expect } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import { applyChange } from '../../src/state/apply.ts';
import { enterCheckpoint } from '../../src/store/checkpoint-store.ts';
import type { Connection } from '../../src/store/connection.ts';
import { purgeVersionsSteps } from '../../src/store/purge-versions.ts';
import { replay } from '../../src/store/replay.ts';
import { checkAsync } from '../support/long.ts';
import { fold, randomChanges, settled, WALLETS } from '../support/random-changes.ts';
import { digest } from '../support/state-digest.ts';
import { named, userVersion } from './changes.ts';
import { serve, stored, testPlace } from './engines.ts';
import { append, testConnection as it, rowsOf, run } from './purge-support.ts';

const RUNS = 8;
const PROBES = { wallets: WALLETS, event_ids: [] };
/** Histories in which few users are described and erased repeatedly. */
const CHANGES = randomChanges({ longest: 80, users: ['u0', 'u1', 'u2'], items: ['i0', 'i1'] });
const PART = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const STEPS = fc.constantFrom(1, 2, 5, Number.POSITIVE_INFINITY);
const STEP_ROWS = fc.integer({ min: 1, max: 20 });

const digestOf = (changes: readonly Change[]) => digest(fold(changes), PROBES);

/** Removes versions of a profile or of preferences that have a later version up to a certain change. */
function withoutFormer(changes: readonly Change[], until: number): Change[] {
  const last = new Map<string, number>();
  const versionOf = (change: Change) =>
    change.kind === 'user' || change.kind === 'preferences' ? `${change.kind} ${change.user}` : undefined;
  for (const change of changes) {
    const version = versionOf(change);
    if (version !== undefined && change.seq <= until) last.set(version, change.seq);
  }
  return changes.filter((change) => {
    const version = versionOf(change);
    return version === undefined || change.seq > until || last.get(version) === change.seq;
  });
}

async function checkpointAt({ db }: Connection, seq: number): Promise<void> {
  await enterCheckpoint(db, { name: `at ${seq}`, seq, digest: '' });
}

describe('former versions', () => {
  it('are purged up to the checkpoint, and a replay gives the same state even if the purge is interrupted', async (fresh) => {
    await checkAsync(RUNS, [CHANGES, PART, STEPS, STEP_ROWS], async (changes, part, steps, step_rows) => {
      const connection = await fresh();
      await append(connection, changes, 0);
      const stored = await rowsOf(connection);
      const cut = Math.floor(changes.length * part);
      await checkpointAt(connection, cut);
      for (const so_many of [steps, Number.POSITIVE_INFINITY]) {
        await run(connection, purgeVersionsSteps(connection, step_rows, 1), so_many);
        expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
        const state = fold(changes.slice(0, cut));
        await replay(connection, (change) => applyChange(state, change), { after: cut });
        expect(digest(settled(state), PROBES)).toEqual(digestOf(changes));
      }
      expect(await rowsOf(connection)).toEqual(withoutFormer(stored, cut));
    });
  });

  it('stay after the checkpoint, and until enough rows were added', async (fresh) => {
    const connection = await fresh();
    const sizes: number[] = [];
    let seq = 0;
    const describeAll = async (times: number) => {
      for (; times > 0; times--) {
        const versions = [0, 1].map((user) => ({ ...userVersion(user, `${times}`), seq: ++seq }));
        await append(connection, versions, seq - 2);
      }
    };
    const purge = async () => {
      for await (const _ of purgeVersionsSteps(connection, 100, 8));
      sizes.push((await rowsOf(connection)).length);
    };
    await describeAll(5);
    await purge();
    await checkpointAt(connection, 7);
    await purge();
    await checkpointAt(connection, 10);
    await purge();
    await describeAll(3);
    await checkpointAt(connection, 16);
    await purge();
    await describeAll(1);
    await checkpointAt(connection, 18);
    await purge();
    // Seven rows in the checkpoint are too few, ten are enough. One row per user stays. Six more are too few, eight
    // are enough.
    expect(sizes).toEqual([10, 10, 2, 8, 2]);
  });

  testPlace('are removed by the regular purge after a thousand new rows', async (place) => {
    const { store } = await serve(place);
    await store.submit([named('user', 0, 'ann')]);
    const versions = Array.from({ length: 1_000 }, (_, version) => userVersion(0, `Ann ${version}`));
    await store.submit(versions);
    await store.purge();
    expect(await stored(store)).toHaveLength(1_001);
    await store.checkpoints?.enter({ name: 'one', seq: 1_001, digest: '' });
    await store.purge();
    expect(await stored(store)).toMatchObject([{ id: 'ann' }, { content: { display_name: 'Ann 999' } }]);
    await store.close();
  });
});
