import { expect, test } from 'bun:test';
import { Replica, type ReplicaOptions } from '../../src/cluster/replica.ts';
import { reasonsOf } from '../../src/errors.ts';
import type { Change } from '../../src/model/change.ts';
import { State } from '../../src/state/state.ts';
import { ManualTimers } from '../support/manual-timers.ts';

function nameOf(seq: number): Change {
  return { kind: 'name', seq, applied_at: seq, space: 'user', key: seq, id: `user-${seq}` };
}

/** A log of three changes. The first read of it fails after `delivered` of them were handed over. */
function failingLog(delivered: number): ReplicaOptions['log'] {
  let fails = true;
  return {
    head: async () => ({ highest_seq: 3, feeds_revision: 0, purged_seq: 0 }),
    read: async (after, visit, slice) => {
      for (let seq = after + 1; seq <= 3; seq++) {
        visit(nameOf(seq));
        if (!fails || seq < delivered) continue;
        await slice();
        fails = false;
        throw new Error('the connection was lost');
      }
      return { highest_seq: 3, highest_applied_at: 3, changes: 3 - after, keys_from: { user: 0, item: 0 } };
    },
  };
}

/** A replica of a community that only notes what it applies. */
function openReplica(log: ReplicaOptions['log'], loaded = { applied_seq: 0, purged_seq: 0 }) {
  const applied: number[] = [];
  const lost: string[] = [];
  const replica = new Replica({
    community: {
      state: new State(),
      store: { log: undefined, lead: () => Promise.resolve() },
      ingest: { committed: (changes) => applied.push(...changes.map(({ seq }) => seq)), failed: () => {} },
      feeds: { upkeep: { keepUp: () => {} } },
      saved_feeds: { keepUp: () => Promise.resolve() },
    },
    log,
    ...loaded,
    timers: new ManualTimers(),
    // Each read begins more than the pause after the one before.
    monotonicMs: (() => {
      let now_ms = 0;
      return () => (now_ms += 10);
    })(),
    onLost: (reason) => lost.push(reason),
  });
  return { replica, applied, lost };
}

function errorOf(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each([1, 2, 3])(
  'a follower applies each change once, also if a read fails after %d of them',
  async (delivered) => {
    const { replica, applied, lost } = openReplica(failingLog(delivered));
    const failure = await errorOf(replica.caughtUp());
    // The caller gets 503, whatever the database said.
    expect(failure).toMatchObject({ code: 'store_unavailable' });
    expect(String(reasonsOf(failure))).toContain('the connection was lost');
    await replica.caughtUp();
    expect([applied, replica.applied_seq, lost]).toEqual([[1, 2, 3], 3, []]);
  },
);

test('a follower loads its state again when the log has lost changes that it has applied', async () => {
  let highest_seq = 3;
  const log: ReplicaOptions['log'] = {
    head: async () => ({ highest_seq, feeds_revision: 0, purged_seq: 0 }),
    read: async (_after, visit) => {
      for (let seq = 1; seq <= 3; seq++) visit(nameOf(seq));
      return { highest_seq: 3, highest_applied_at: 3, changes: 3, keys_from: { user: 0, item: 0 } };
    },
  };
  const { replica, lost } = openReplica(log);
  await replica.caughtUp();
  highest_seq = 2;
  expect(await errorOf(replica.caughtUp())).toMatchObject({ code: 'store_unavailable' });
  expect(lost).toHaveLength(1);
});

test('a follower loads its state again when rows were purged while it was loaded', async () => {
  const head = { highest_seq: 3, feeds_revision: 0, purged_seq: 2 };
  const log: ReplicaOptions['log'] = {
    head: async () => head,
    read: () => Promise.reject(new Error('there is nothing to read')),
  };
  const { replica, lost } = openReplica(log, { applied_seq: 3, purged_seq: 1 });
  expect(await errorOf(replica.caughtUp())).toMatchObject({ code: 'store_unavailable' });
  expect(lost).toHaveLength(1);
  // A purge before or after it does not matter.
  const loaded = openReplica(log, { applied_seq: 3, purged_seq: 2 });
  await loaded.replica.caughtUp();
  head.purged_seq = 3;
  await loaded.replica.caughtUp();
  expect(loaded.lost).toEqual([]);
});
