import { expect, test } from 'bun:test';
import { FEED_TYPES, numbered, serviceWith } from './support.ts';

test('2.5 user_id is the viewing user', async () => {
  await using service = await serviceWith('a', 'b');
  await service.likes('a', '16085');
  for (const user_id of ['16085', 16085]) {
    for (const type of FEED_TYPES) expect(await service.page(type, { user_id })).toEqual(['b']);
  }
});

test('2.5 feed_id is the saved feed to build', async () => {
  await using service = await serviceWith('a', 'b');
  const feed_id = await service.account.add({ config: { filters: { author_ids: ['author of b'] } } });
  expect(await service.page('for-you', { feed_id })).toEqual(['b']);
  const { status } = await service.community.ask('for-you', { user_id: 'viewer', feed_id: 'feed_999' });
  expect(status).toBe(404);
});

test('2.5 promotion_filters, impression_count, show_interacted_items and cold_start_feed are taken together', async () => {
  await using service = await serviceWith('a', 'b', 'c');
  await service.likes('a', 'viewer');
  const cold_start_feed = await service.account.add({});
  const promotion = {
    promotion_type: 'items',
    promotion_name: 'ad',
    promoted_items: [{ item_id: 'c', rank: 1 }],
  };
  const request = {
    promotion_filters: [promotion],
    impression_count: 1,
    show_interacted_items: true,
    top_k: 3,
  };
  const labels = async () =>
    (await service.community.page('popular', { user_id: 'viewer', ...request })).map(
      ({ item_id, source_feed }) => `${item_id} ${source_feed}`,
    );
  expect(await labels()).toEqual(['c promotion:ad', 'a main:popular', 'b main:popular']);
  expect(await labels()).toEqual(['a main:popular', 'b main:popular']);
  const cold = await service.community.page('popular', { user_id: 'viewer', ...request, cold_start_feed });
  expect(cold.map(({ source_feed }) => source_feed)).toEqual([`cold_start:${cold_start_feed}`]);
});

test('2.5 the bodies of published clients work unchanged', async () => {
  await using service = await serviceWith(...numbered('item', 8));
  const bodies: [unknown, number][] = [
    [{}, 8],
    [undefined, 8],
    ['', 8],
    [{ feed_id: '' }, 8],
    [{ scoring: '' }, 8],
    [{ user_id: '16085', return_metadata: true, top_k: 5, impression_count: 5 }, 5],
    [{ wallet_address: '0x1234567890abcdef1234567890abcdef12345678', top_k: 3 }, 3],
    [{ wallet_address: '0x1234…', top_k: 3 }, 3],
  ];
  for (const [body, length] of bodies) {
    for (const type of ['trending', 'popular'] as const) {
      const answer = await service.community.ask(type, body);
      // Trending has shown five of the eight to this user.
      const wanted = type === 'popular' && length === 5 ? 3 : length;
      expect([type, body, answer.status, answer.body.body.length]).toEqual([type, body, 200, wanted]);
    }
  }
  const day = { scoring: '1day', top_k: 3, return_metadata: true };
  const { status, body } = await service.community.ask('popular', day);
  expect([status, body.body.length, body.warnings]).toEqual([200, 3, undefined]);
  for (const fields of [
    {},
    { feed_id: '' },
    { scoring: '' },
    { return_metadata: true, top_k: 5, impression_count: 5 },
  ]) {
    const answer = await service.community.ask('for-you', { user_id: '9', ...fields });
    expect([answer.status, answer.body.warnings]).toEqual([200, undefined]);
  }
  const wallet = { wallet_address: '0x1234…', top_k: 3 };
  expect(await service.community.ids('for-you', wallet)).toHaveLength(3);
  for (const without_viewer of [{}, undefined, { feed_id: '' }]) {
    expect((await service.community.ask('for-you', without_viewer)).status).toBe(400);
  }
});

test('2.5 a field that the service does not know is ignored and named', async () => {
  await using service = await serviceWith('a');
  const { status, body } = await service.community.ask('popular', {
    user_id: 'viewer',
    candidate_source: 'x',
  });
  expect([status, body.body.length, body.warnings.length]).toEqual([200, 1, 1]);
  expect(body.warnings[0]).toContain('candidate_source');
});
