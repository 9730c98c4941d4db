import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

test('a follower obeys more, less and personalised of the leader on the next page, and a later leader, too', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  await leader.post('/v2/farcaster/items', [
    { ...item('a'), author_id: 'ann', likes_count: 20 },
    { ...item('b'), author_id: 'bob', likes_count: 15 },
    { ...item('c'), author_id: 'cy', likes_count: 10 },
  ]);
  const path = '/v2/farcaster/users/viewer/preferences';
  const page = () => follower.page({ user_id: 'viewer', top_k: 3 });
  expect(await page()).toEqual(['a', 'b', 'c']);
  const more = [{ kind: 'author', value: 'cy' }];
  expect((await leader.call('PUT', path, { more, less: [{ kind: 'author', value: 'ann' }] })).status).toBe(
    200,
  );
  expect(await page()).toEqual(['c', 'b', 'a']);
  expect((await follower.call('PATCH', path, { less: null, personalised: false })).status).toBe(200);
  expect(await page()).toEqual(['c', 'a', 'b']);
  await leader.stop();
  expect(await page()).toEqual(['c', 'a', 'b']);
  expect((await follower.call('GET', path)).body).toMatchObject({ more, less: [], personalised: false });
});
