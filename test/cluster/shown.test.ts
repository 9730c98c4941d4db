import { expect } from 'bun:test';
import { testCluster as it, item, type TestNode, until } from './support.ts';

const V2 = '/v2/farcaster';

async function timesShown(node: TestNode): Promise<number> {
  return (await node.call('GET', `${V2}/items/one/counts`)).body.shown;
}

async function dayOf(node: TestNode): Promise<object> {
  return (await node.call('GET', '/api/totals')).body.data.days[0];
}

it('a page that a follower showed is logged by the leader, and counts at each node', async (cluster) => {
  const leader = await cluster.start();
  const follower = await cluster.start();
  await leader.post(`${V2}/items`, [item('one')]);
  expect(await follower.page({ user_id: 'viewer' })).toEqual(['one']);
  for (const node of [leader, follower])
    expect(
      await until(
        () => timesShown(node),
        (times) => times === 1,
      ),
    ).toBe(1);
  await leader.post(`${V2}/interactions`, [{ user_id: 'other', item_id: 'one', event_type: 'like' }]);
  for (const node of [leader, follower])
    expect(
      await until(
        () => dayOf(node),
        (day) => 'acts' in day && day.acts === 1,
      ),
    ).toMatchObject({ feed_id: null, pages: 1, shown: 1, acts: 1 });
  for (const node of [leader, follower]) {
    const { sample, feeds } = (await node.call('GET', '/api/community-health')).body.data;
    expect(sample).toEqual({ pages: 1, viewers: 1, viewers_share: 1 });
    expect(feeds).toMatchObject([{ feed_id: null, total: { shown: 1, coverage: 1 } }]);
  }
});

it('an act at a follower counts for the page that it showed a moment before', async (cluster) => {
  const leader = await cluster.start();
  const follower = await cluster.start();
  await leader.post(`${V2}/items`, [item('one')]);
  expect(await follower.page({ user_id: 'viewer' })).toEqual(['one']);
  await follower.post(`${V2}/interactions`, [{ user_id: 'viewer', item_id: 'one', event_type: 'like' }]);
  expect(await dayOf(leader)).toMatchObject({ feed_id: null, pages: 1, shown: 1, acts: 1 });
});

it('what was seen is reported to any node, also with the page_id of another one and while the leader is gone', async (cluster) => {
  const leader = await cluster.start();
  const follower = await cluster.start();
  await leader.post(`${V2}/items`, [item('one'), item('two')]);
  const page = { user_id: 'viewer', mark_seen: false };
  const { page_id } = (await leader.post(`${V2}/feeds/popular`, page)).body;
  await cluster.cutOff(leader);
  const report = { user_id: 'viewer', item_ids: ['two'], page_id };
  expect((await follower.post(`${V2}/impressions`, report)).body).toEqual({ status: 'success', recorded: 1 });
  expect(await follower.page(page)).toEqual(['one']);
  expect((await leader.post(`${V2}/impressions`, report)).body.recorded).toBe(0);
  expect(await leader.page(page)).toEqual(['one']);
});
