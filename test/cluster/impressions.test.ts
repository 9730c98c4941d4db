import { expect } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { unreadable } from '../../src/store/refusals.ts';
import { testCluster as it, item } from './support.ts';

const V2 = '/v2/farcaster';
const items = (count: number) => Array.from({ length: count }, (_, at) => item(`item${at}`));

it('an item that one node showed is not shown again by any node', async (cluster) => {
  await cluster.start();
  await cluster.start();
  await cluster.start();
  await cluster.nodes[0].post(`${V2}/items`, items(60));
  const random = seededRandom(7);
  const shown: string[] = [];
  for (let page = 0; page < 12; page++) {
    const node = cluster.nodes[Math.floor(random() * 3)];
    shown.push(...(await node.page({ user_id: 'viewer', top_k: 5, impression_count: 5 })));
  }
  expect([shown.length, new Set(shown).size]).toEqual([60, 60]);
});

it('pages of one viewer that are asked for at all nodes at once have no item in common', async (cluster) => {
  await cluster.start();
  await cluster.start();
  await cluster.start();
  await cluster.nodes[0].post(`${V2}/items`, items(150));
  for (const viewer of ['one', 'two']) {
    const asked = Array.from({ length: 30 }, (_, at) =>
      cluster.nodes[at % 3].page({ user_id: viewer, top_k: 5, impression_count: 5 }),
    );
    const shown = (await Promise.all(asked)).flat();
    expect([shown.length, new Set(shown).size]).toEqual([150, 150]);
  }
});

it('a request that is sent again with its request_id gets the same page from another node', async (cluster) => {
  await cluster.start();
  await cluster.start();
  await cluster.start();
  await cluster.nodes[0].post(`${V2}/items`, items(20));
  const request = { user_id: 'viewer', top_k: 5, impression_count: 5, request_id: 'again' };
  const pages: string[][] = [];
  for (const node of cluster.nodes) pages.push(await node.page(request));
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[2]).toEqual(pages[0]);
  expect(await cluster.nodes[1].page({ user_id: 'viewer', top_k: 50 })).toHaveLength(15);
});

it('faults in a feed request that the leader answers are told as by any node', async (cluster) => {
  await cluster.start();
  const follower = await cluster.start();
  const request = { user_id: 'viewer', feed_id: 'feed_9', request_id: 'r' };
  const { status, body } = await follower.post(`${V2}/feeds/popular`, request);
  expect([status, body.code, body.detail]).toEqual([404, 'not_found', expect.stringContaining('feed_9')]);
});

it('a page with eventual consistency needs no database, and a strong one is refused without it', async (cluster) => {
  await cluster.start();
  const follower = await cluster.start();
  await cluster.nodes[0].post(`${V2}/items`, items(3));
  const config = { consistency: 'eventual' };
  const saved = await follower.post('/api/feed/config', { name: 'quick', endpoint: 'feeds/popular', config });
  const feed_id = saved.body.data.config_id;
  expect(await follower.page({ feed_id })).toHaveLength(3);
  const { log } = follower.running.service.store;
  if (log === undefined) throw new Error('a follower has a log');
  log.head = () => Promise.reject(unreadable(new Error('the database is gone')));
  expect(await follower.page({ consistency: 'eventual' })).toHaveLength(3);
  expect(await follower.page({ feed_id })).toHaveLength(3);
  const strong = await follower.post(`${V2}/feeds/popular`, { feed_id, consistency: 'strong' });
  expect([strong.status, strong.body.code]).toEqual([503, 'store_unavailable']);
});
