/**
 * What notifications of PostgreSQL (`LISTEN`) would save: the time from the acknowledgement of a write at the leader until
 * a follower has it without being asked, with the poll alone and with a notification at each commit. It takes a minute.
 * Run it alone on the machine: `bun workloads/programs/notifications.ts [--writes 200]`.
 */

import { parseArgs } from 'node:util';
import { SQL } from 'bun';
import { monotonicMs, seededRandom } from '../../src/clock.ts';
import { item, openCluster } from '../../test/cluster/support.ts';

const { values } = parseArgs({ options: { writes: { type: 'string', default: '200' } } });
const writes = Number(values.writes);
const CHANNEL = 'changed';
/** Maximum time between two writes: longer than the poll. */
const PAUSE_MS = 60;
const WARM_UP = 30;

const random = seededRandom(1);
let items = 0;

await using cluster = await openCluster();
const leader = await cluster.start();
const follower = await cluster.start();
const appliedAt = (node: typeof leader) => node.running.service.cluster?.applied_seq ?? 0;

/** Milliseconds from each acknowledgement until the follower has the write. */
async function delays(count: number): Promise<number[]> {
  const measured: number[] = [];
  for (let write = 0; write < count; write++) {
    await leader.post('/v2/farcaster/items', [item(`item${items++}`)]);
    const acknowledged_ms = monotonicMs();
    const wanted = appliedAt(leader);
    while (appliedAt(follower) < wanted) await Bun.sleep(1);
    measured.push(monotonicMs() - acknowledged_ms);
    await Bun.sleep(random() * PAUSE_MS);
  }
  return measured.sort((one, other) => one - other);
}

async function report(name: string): Promise<void> {
  await delays(WARM_UP);
  const sorted = await delays(writes);
  const [median, p95] = [0.5, 0.95].map((share) => sorted[Math.floor(sorted.length * share)].toFixed(1));
  console.log(`${name}: p50 ${median} ms, p95 ${p95} ms`);
}

await report('the poll alone');
await using database = new SQL({ url: cluster.database_url, max: 1 });
await database.unsafe(`create function notify_of_changes() returns trigger language plpgsql as
  $$ begin perform pg_notify('${CHANNEL}', ''); return null; end $$`);
await database.unsafe(`create trigger changed after update on meta for each row
  when (new.name = 'highest_seq') execute function notify_of_changes()`);
const replica = follower.running.service.cluster?.replicaOf('content');
await using _subscription = await database.listen(CHANNEL, () => {
  replica?.caughtUp().catch(() => {});
});
await report('with notifications');
