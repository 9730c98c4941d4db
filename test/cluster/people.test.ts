import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

const V2 = '/v2/farcaster';

test('a follower recommends users by every acknowledged write, and continues the cursor of the leader', async () => {
  await using cluster = await openCluster();
  // Soon after the items were published, since inactive users are not recommended.
  const settings = { now: 1_767_225_700 };
  const leader = await cluster.start(settings);
  const follower = await cluster.start(settings);
  await leader.post(`${V2}/items`, [
    { ...item('a'), author_id: 'ann' },
    { ...item('b'), author_id: 'bob' },
  ]);
  await leader.post(`${V2}/follows`, [
    { user_id: 'viewer', target_user_id: 'friend' },
    { user_id: 'friend', target_user_id: 'ann' },
    { user_id: 'friend', target_user_id: 'bob' },
    { user_id: 'other', target_user_id: 'bob' },
  ]);
  const page = { user_id: 'viewer', top_k: 1 };
  const first = (await leader.post(`${V2}/users/recommended`, page)).body;
  const ask = () => follower.post(`${V2}/users/recommended`, { ...page, cursor: first.cursor });
  const idsOf = (body: { user_id: string }[]) => body.map(({ user_id }) => user_id);
  const shown = [...idsOf(first.body), ...idsOf((await ask()).body.body)];
  expect(shown.toSorted()).toEqual(['ann', 'bob']);
  await leader.post(`${V2}/blocks`, [{ user_id: shown[1], target_user_id: 'viewer' }]);
  expect((await ask()).body.body).toEqual([]);
  expect((await follower.call('GET', `${V2}/users/ann/similar`)).body.body).toMatchObject([
    { user_id: 'bob', reasons: [{ type: 'also_followed', count: 1 }] },
  ]);
  expect((await follower.call('GET', `${V2}/users/similar?user_id=ann`)).body.body).toMatchObject([
    { user_id: 'bob' },
  ]);
  await leader.post(`${V2}/users`, [{ user_id: 'similar', username: 'new' }]);
  expect((await follower.call('GET', `${V2}/users/similar`)).body.username).toBe('new');
});
