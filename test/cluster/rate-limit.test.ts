import { expect } from 'bun:test';
import { monotonicMs } from '../../src/clock.ts';
import { testCluster as it, item, type openCluster, until } from './support.ts';

const V2 = '/v2/farcaster';
const RATE_LIMIT = 6;

type Cluster = Awaited<ReturnType<typeof openCluster>>;
type Node = Cluster['nodes'][number];

/** Waits until every node knows of all the others. */
async function acquainted({ nodes }: Cluster): Promise<void> {
  for (const node of nodes)
    await until(
      async () => node.running.service.cluster?.nodes.length,
      (count) => count === nodes.length,
    );
}

/** How many of the requests were answered 200, when the others were refused by the rate limit. */
async function admitted(requests: readonly (() => Promise<{ status: number }>)[]): Promise<number> {
  const statuses = (await Promise.all(requests.map((send) => send()))).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

/** Sends requests and expects as many answers as the limit allows in the time that they took. */
async function expectLimited(requests: readonly (() => Promise<{ status: number }>)[]): Promise<void> {
  const start_ms = monotonicMs();
  const count = await admitted(requests);
  const elapsed_seconds = (monotonicMs() - start_ms) / 1_000;
  expect(count).toBeGreaterThanOrEqual(RATE_LIMIT);
  expect(count).toBeLessThanOrEqual(Math.ceil(RATE_LIMIT * (1 + elapsed_seconds)));
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const pageOf = (node: Node) => () => node.post(`${V2}/feeds/popular`, {});
const writeAt = (node: Node, name: string) => () => node.post(`${V2}/items`, [item(name)]);

it('three nodes together let a key send as many pages a second as its rate limit says', async (cluster) => {
  for (let node = 0; node < 3; node++) await cluster.start({ rate_limit: RATE_LIMIT });
  await acquainted(cluster);
  await expectLimited(cluster.nodes.flatMap((node) => times(4 * RATE_LIMIT, () => pageOf(node))));
});

it('writes count at the node that a client sent them to, and not at the leader again', async (cluster) => {
  const leader = await cluster.start({ rate_limit: RATE_LIMIT });
  const followers = [
    await cluster.start({ rate_limit: RATE_LIMIT }),
    await cluster.start({ rate_limit: RATE_LIMIT }),
  ];
  await acquainted(cluster);
  const nodes = [...followers, leader];
  await expectLimited(
    nodes.flatMap((node, number) => times(4 * RATE_LIMIT, (write) => writeAt(node, `${number} ${write}`))),
  );
});

it('a node that is alone lets a key use all of its rate limit', async (cluster) => {
  const leader = await cluster.start({ rate_limit: RATE_LIMIT });
  await expectLimited(times(4 * RATE_LIMIT, () => pageOf(leader)));
});

it('records that are sent to any node count once towards the quota of an account', async (cluster) => {
  for (let node = 0; node < 3; node++) await cluster.start({ quota_records_per_day: 4 });
  const [one, two, three] = cluster.nodes;
  const statuses: number[] = [];
  for (const [number, node] of [one, two, three, one, two, three].entries())
    statuses.push((await node.post(`${V2}/items`, [item(`quota ${number}`)])).status);
  expect(statuses).toEqual([200, 200, 200, 200, 403, 403]);
});
