import { expect, test } from 'bun:test';
import { current, Source } from './counting-plugin.ts';
import { openCluster, until } from './support.ts';

const SETTINGS = {
  plugins: `${import.meta.dir}/counting-plugin.ts`,
  connect: ['counting/items_v1.0.0'],
};

type Cluster = Awaited<ReturnType<typeof openCluster>>;
type Node = Awaited<ReturnType<Cluster['start']>>;

/** Resolves when a node shows this number of items. */
async function shows(node: Node, count: number): Promise<void> {
  const page = () => node.post('/v2/farcaster/feeds/popular', { top_k: 100 });
  await until(page, ({ status, body }) => status === 200 && body.body.length === count);
}

/** Every number was acknowledged once, by one node. */
async function emittedOnce(source: Source, count: number): Promise<void> {
  const emitted = await until(
    async () => source.runs.flatMap((run) => run.emitted),
    ({ length }) => length >= count,
  );
  expect(emitted).toEqual(Array.from({ length: count }, (_, at) => at + 1));
}

test('only the leader runs connectors, and after it stops the next leader goes on at the stored cursor', async () => {
  const source = new Source();
  current.source = source;
  await using cluster = await openCluster();
  const leader = await cluster.start(SETTINGS);
  const follower = await cluster.start(SETTINGS);
  source.publish(5);
  await shows(follower, 5);
  expect(source.runs.map(({ from }) => from)).toEqual([undefined]);
  await cluster.stop(leader);
  source.publish(5);
  await shows(follower, 10);
  expect(source.runs.map(({ from }) => from)).toEqual([undefined, '5']);
  await emittedOnce(source, 10);
});

test('a leader that was replaced emits nothing more, and the next leader goes on at the stored cursor', async () => {
  const source = new Source();
  current.source = source;
  await using cluster = await openCluster();
  const nodes = [await cluster.start(SETTINGS), await cluster.start(SETTINGS)];
  source.publish(5);
  await shows(nodes[1], 5);
  // As if the leader had been paused until its lease had run out and another node had led.
  await cluster.sql("update leases set holder = 'another', fence = 'another', expires_at = 0");
  await until(
    async () => source.runs.length,
    (count) => count === 2,
  );
  source.publish(5);
  for (const node of nodes) await shows(node, 10);
  expect(source.runs[1].from).toBe('5');
  await emittedOnce(source, 10);
});
