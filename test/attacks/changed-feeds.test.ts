import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { control } from '../cluster/compiled-plugin.ts';
import { openCluster } from '../cluster/support.ts';

/** One account changes one of many saved feeds again and again, while other nodes follow. */

const FEEDS = 12;
const CHANGES = 5;
const PLUGIN = join(import.meta.dir, '../cluster/compiled-plugin.ts');
const POPULAR = '/v2/farcaster/feeds/popular';

test('a node that follows compiles only the feeds that changed', async () => {
  await using cluster = await openCluster();
  const settings = { plugins: PLUGIN };
  const leader = await cluster.start(settings);
  const post = (name: string) =>
    leader.post('/api/feed/config', {
      name,
      endpoint: 'feeds/popular',
      config: { filters: { 'compiled/counted': {} } },
    });
  const ids: string[] = [];
  for (let at = 0; at < FEEDS; at++) ids.push((await post(`Feed ${at}`)).body.data.config_id);
  const follower = await cluster.start(settings);
  const page = async (feed_id: string) => (await follower.post(POPULAR, { feed_id })).status;
  // The control: every feed can be read at the follower, which compiles it once.
  for (const id of ids) expect(await page(id)).toBe(200);
  control.compiled = 0;
  for (let change = 0; change < CHANGES; change++) {
    const config = { filters: { 'compiled/counted': {} }, top_k: 5 + change };
    await leader.call('PATCH', '/api/feed/config', { config_id: ids[0], config });
    expect(await page(ids[0])).toBe(200);
  }
  // The leader and the follower compile each changed feed, for its check and for its page.
  expect(control.compiled).toBeLessThanOrEqual(CHANGES * 4);
  await leader.call('DELETE', `/api/feed/config?config_id=${ids[1]}`);
  expect([await page(ids[0]), await page(ids[1])]).toEqual([200, 404]);
});
