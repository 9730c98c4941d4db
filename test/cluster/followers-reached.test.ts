import { expect, test } from 'bun:test';
import pino from 'pino';
import { ManualClock } from '../../src/clock.ts';
import { ClusterNode } from '../../src/cluster/node.ts';
import { DatabaseLease, type SeenNode } from '../../src/store/postgres/database-lease.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';

const OWN = {
  node_id: 'own',
  url: 'http://own',
  release: '0.1.0',
  facts: { secret: '', state: '', plugins: '', settings: '' },
};

/** A lease whose list of nodes a test decides. Nothing connects to its database. */
class FakeLease extends DatabaseLease {
  constructor(
    timers: ManualTimers,
    private readonly list: () => Promise<SeenNode[]>,
  ) {
    super('postgres://nowhere.invalid/none', timers);
  }

  override nodes(): Promise<SeenNode[]> {
    return this.list();
  }
}

/** What `followersReached(10)` comes to within a minute of the test's time. */
async function outcome(list: () => Promise<SeenNode[]>): Promise<string> {
  const timers = new ManualTimers();
  const node = new ClusterNode({
    lease: new FakeLease(timers, list),
    node: OWN,
    secret: 'secret',
    timers,
    monotonicMs: () => 0,
    clock: new ManualClock(0),
    log: pino({ enabled: false }),
  });
  const waiting = node.followersReached(10).then(
    () => `after ${timers.passed_seconds} s`,
    (error: Error) => error.message,
  );
  await settled();
  await timers.pass(60);
  return waiting;
}

function follower(applied_seq: number): SeenNode {
  return { ...OWN, node_id: 'follower', applied_seq, leads: false, silent_seconds: 0 };
}

test('a purge waits for a follower that has not applied the log, for a bounded time', async () => {
  expect(await outcome(async () => [follower(10)])).toBe('after 0 s');
  expect(await outcome(async () => [follower(9)])).toBe('after 9.75 s');
});

test('a purge does not take a failure of the database for an answer that the followers have the log', async () => {
  const lost = new Error('the connection was lost');
  expect(await outcome(() => Promise.reject(lost))).toBe('the connection was lost');
  let asked_count = 0;
  const failsOnce = async () => {
    if (asked_count++ === 0) throw lost;
    return [follower(9 + asked_count - 2)];
  };
  expect(await outcome(failsOnce)).toBe('after 0.5 s');
});
