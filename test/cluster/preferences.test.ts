import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

const PATH = '/v2/farcaster/users/viewer/preferences';

test('a page at any node obeys preferences that were sent to any other node', async () => {
  await using cluster = await openCluster();
  const nodes = [await cluster.start(), await cluster.start(), await cluster.start()];
  await nodes[0].post('/v2/farcaster/items', [
    { ...item('a'), author_id: 'ann' },
    { ...item('b'), author_id: 'bob' },
  ]);
  const page = { user_id: 'viewer', mark_seen: false };
  for (const writer of nodes)
    for (const muted of ['ann', 'bob']) {
      const { status, body } = await writer.call('PATCH', PATH, { muted: { authors: [muted] } });
      expect([status, body.preferences.muted.authors]).toEqual([200, [muted]]);
      for (const reader of nodes) {
        expect(await reader.page(page)).toEqual([muted === 'ann' ? 'b' : 'a']);
        expect((await reader.call('GET', PATH)).body).toEqual(body.preferences);
      }
    }
});
