import { expect } from 'bun:test';
import { purgeCommunity } from '../../src/community.ts';
import type { ShownPage } from '../../src/model/shown-page.ts';
import { signalKey } from '../../src/model/signal-key.ts';
import { testCluster as it, item, type TestNode, until } from './support.ts';

const V2 = '/v2/farcaster';
const ITEMS = ['a', 'b', 'c'];
/** Their windows have passed when they are logged. The app reported them, so ignored items teach. */
const LEARNING = { window_seconds: 1, is_reported: true, is_control: false, is_learned: true };

/** A node logs pages that teach, and a viewer acts on one of them. */
async function learn(node: TestNode, viewers: readonly string[]): Promise<void> {
  const { state, seen, ingest } = node.running.service;
  const items = Uint32Array.from(ITEMS, (id) => state.items.names.key(state.items.names.find(id)));
  const page: ShownPage = {
    ...{ time: state.applied_at - 10, feed: 7, feed_type: 'for-you', items },
    ...{ slots: Uint16Array.of(1, 2, 3), origins: Uint8Array.of(0, 1, 0) },
    ...{ signals: Uint32Array.of(signalKey('taste')), signal_values: Uint8Array.of(10, 200, 90) },
    learning: LEARNING,
  };
  for (const viewer of viewers) ingest.shown.add(seen.viewerOf(viewer), page);
  await ingest.shown.flushed();
  for (const user_id of viewers)
    await node.post(`${V2}/interactions`, [{ user_id, item_id: 'b', event_type: 'like' }]);
}

/** What all nodes have learnt, once they have applied the same changes: the same bytes. */
async function learntBy(nodes: readonly TestNode[]): Promise<Uint8Array> {
  const states = () => nodes.map(({ running }) => running.service.state);
  await until(
    async () => new Set(states().map(({ seq }) => seq)).size,
    (seqs) => seqs === 1,
  );
  const [first, ...others] = states().map(({ learning }) => learning.bytes());
  for (const other of others) expect(other).toEqual(first);
  return first;
}

it('all nodes learn the same, to the bit: live, after a purge, after the lead changed, and when they join', async (cluster) => {
  const leader = await cluster.start();
  const nodes = [leader, await cluster.start(), await cluster.start()];
  await leader.post(
    `${V2}/items`,
    ITEMS.map((id) => item(id)),
  );
  await learntBy(nodes);
  for (const [at, node] of nodes.entries()) await learn(node, [`viewer ${at}`, `other ${at}`]);
  const { learning } = leader.running.service.state;
  const before = await learntBy(nodes);
  expect(learning.modelOf('for-you', 7)?.learntOf(signalKey('taste'))).toBeDefined();
  const rated = learning.clickRate(1, leader.running.service.state.applied_at);
  expect(rated).toBeGreaterThan(learning.clickRate(2, leader.running.service.state.applied_at));
  await leader.call('DELETE', `${V2}/users/viewer 0`);
  await purgeCommunity(leader.running.service);
  expect(await learntBy(nodes)).not.toEqual(before);
  await cluster.stop(leader);
  const left = nodes.slice(1);
  await until(
    () => Promise.all(left.map((node) => node.role())),
    (roles) => roles.includes('leader'),
  );
  await learn(left[0], ['viewer 5']);
  const joined = await cluster.start();
  await learn(joined, ['viewer 6']);
  await learntBy([...left, joined]);
});
