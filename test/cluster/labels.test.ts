import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

test('labels that one of three nodes takes count on the next page of every node, also after a start', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  const nodes = [leader, follower, await cluster.start()];
  const send = async (kind: string, ...records: object[]) =>
    expect((await follower.post(`/v2/farcaster/${kind}`, records)).body.rejected).toEqual([]);
  await send('items', item('one'), item('two'), item('three'));
  const label = { labeler_id: 'mod', value: 'spam', timestamp: 100 };
  const pages = (filters: object) =>
    Promise.all(
      nodes.map(async (node) => {
        const { body } = await node.post('/v2/farcaster/feeds/popular', { filters });
        return body.body.map(({ item_id }: { item_id: string }) => item_id).sort();
      }),
    );
  await send(
    'labels',
    { ...label, item_id: 'one' },
    { ...label, item_id: 'two', value: '!hide', hides: true },
  );
  expect(await pages({ remove_labeled: ['mod/spam'] })).toEqual(nodes.map(() => ['three']));
  nodes.push(await cluster.start());
  expect(await pages({})).toEqual(nodes.map(() => ['one', 'three']));
  await send('labels', { ...label, item_id: 'two', value: '!hide', action: 'remove', timestamp: 101 });
  expect(await pages({ remove_labeled: ['mod/spam'] })).toEqual(nodes.map(() => ['three', 'two']));
});
