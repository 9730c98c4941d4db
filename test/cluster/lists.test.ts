import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

const V2 = '/v2/farcaster';

test('a page at each of three nodes obeys a list of users from the answer to its change on', async () => {
  await using cluster = await openCluster();
  const settings = { now: 1_767_225_700 };
  const leader = await cluster.start(settings);
  const [second, third] = [await cluster.start(settings), await cluster.start(settings)];
  const authors = ['ann', 'bob', 'cat'];
  const items = authors.map((author_id) => ({ ...item(`by ${author_id}`), author_id }));
  await leader.post(`${V2}/items`, items);
  const list = `${V2}/lists?list_id=${encodeURIComponent('at://did:plc:x/list/abc')}`;
  const filters = { author_ids: 'list:at://did:plc:x/list/abc' };
  const pages = () =>
    Promise.all(
      [leader, second, third].map(async (node) => {
        const { body } = await node.post(`${V2}/feeds/popular`, { filters });
        return body.body.map(({ item_id }: { item_id: string }) => item_id).toSorted();
      }),
    );
  const steps: [string, unknown, string[]][] = [
    ['PUT', { user_ids: ['ann', 'bob'] }, ['by ann', 'by bob']],
    ['PATCH', { add: ['cat'], remove: ['ann'] }, ['by bob', 'by cat']],
    ['PUT', { user_ids: ['ann'] }, ['by ann']],
    ['DELETE', undefined, []],
  ];
  for (const [at, [method, body, shown]] of steps.entries()) {
    // A node that follows forwards the change.
    const answer = await [second, third, leader, second][at].call(method, list, body);
    expect(answer.status).toBe(200);
    expect(await pages()).toEqual([shown, shown, shown]);
    const listed = await third.call('GET', `${V2}/lists`);
    expect(listed.body.lists.length).toBe(method === 'DELETE' ? 0 : 1);
  }
});
