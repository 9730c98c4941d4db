import { expect, test } from 'bun:test';
import { FEED_TYPES, serviceWith } from './support.ts';

test('2.6 item_id identifies the content item', async () => {
  await using service = await serviceWith('0x07cb', 'Ünïcode ✓');
  for (const type of FEED_TYPES) expect(await service.set(type)).toEqual(['0x07cb', 'Ünïcode ✓']);
});

test('2.6 source_feed is main:<feed_id> for items of the requested feed', async () => {
  await using service = await serviceWith('a');
  for (const type of FEED_TYPES) {
    const feed_id = await service.account.add({ endpoint: `casts/feed/${type}` });
    const [saved] = await service.community.page(type, { user_id: 'viewer', feed_id });
    expect(saved.source_feed).toBe(`main:${feed_id}`);
    const [plain] = await service.community.page(type, { user_id: 'viewer' });
    expect(plain.source_feed).toBe(`main:${type}`);
  }
});

test('2.6 source_feed is promotion:<feed_id> for promoted items', async () => {
  await using service = await serviceWith('a', 'b');
  const feed_id = await service.account.add({ config: { filters: { author_ids: ['author of b'] } } });
  const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 50, feed_id };
  const request = { user_id: 'viewer', promotion_filters: [promotion] };
  for (const type of FEED_TYPES) {
    const page = await service.community.page(type, request);
    const labels = page.map(({ item_id, source_feed }) => `${item_id} ${source_feed}`);
    expect(labels.toSorted()).toEqual([`a main:${type}`, `b promotion:${feed_id}`]);
  }
});

test('2.6 the answer is JSON with a list of such items', async () => {
  await using service = await serviceWith('a');
  const { status, headers, body } = await service.community.ask('popular', {});
  expect([status, body.status_code, Array.isArray(body.body)]).toEqual([200, 200, true]);
  expect(headers.get('content-type')).toStartWith('application/json');
});
