import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

test('every node filters by the words of every acknowledged write, whenever it began to read words', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  await leader.post('/v2/farcaster/items', [{ ...item('a'), text: 'late jazz' }]);
  const follower = await cluster.start();
  const jazz = { filters: { words: ['jaz*', ['late', 'night']] }, top_k: 10 };
  expect(await follower.page(jazz)).toEqual(['a']);
  await leader.post('/v2/farcaster/items', [
    { ...item('b'), text: 'early night, late' },
    { ...item('c'), text: 'jazzy' },
  ]);
  for (const node of [follower, leader, follower])
    expect((await node.page(jazz)).sort()).toEqual(['a', 'b', 'c']);
  await leader.post('/v2/farcaster/items', [{ ...item('c'), text: 'silent' }]);
  for (const node of [follower, leader]) expect((await node.page(jazz)).sort()).toEqual(['a', 'b']);
});
