import { expect, test } from 'bun:test';
import { FEED_TYPES, serviceWith } from './support.ts';

test('2.2 config holds filters, which every request of the feed is under', async () => {
  await using service = await serviceWith('a', 'b');
  const config = { filters: { author_ids: ['author of b'] } };
  const feed_id = await service.account.add({ config });
  expect(await service.page('for-you', { feed_id })).toEqual(['b']);
});

test('2.2 return_global_fallback true adds popular items of the network when the feed runs out', async () => {
  await using service = await serviceWith('a', 'b', 'c');
  const filters = { author_ids: ['author of c'] };
  for (const type of FEED_TYPES) {
    const endpoint = `casts/feed/${type}`;
    const without = await service.account.add({ endpoint, config: { filters } });
    expect(await service.page(type, { feed_id: without })).toEqual(['c']);
    const feed_id = await service.account.add({
      endpoint,
      config: { filters, return_global_fallback: true },
    });
    const page = await service.community.page(type, { user_id: 'viewer', feed_id });
    expect(page.map(({ item_id, source_feed }) => `${item_id} ${source_feed}`)).toEqual([
      `c main:${feed_id}`,
      'a fallback_global:popular',
      'b fallback_global:popular',
    ]);
  }
});

test('2.2 scoring all is the default scoring of every feed type', async () => {
  await using service = await serviceWith('a', 'b', 'c');
  await service.likes('c', 'someone');
  for (const type of FEED_TYPES) {
    const feed_id = await service.account.add({ endpoint: `casts/feed/${type}`, config: { scoring: 'all' } });
    expect(await service.page(type, { feed_id })).toEqual(await service.page(type));
  }
});

test('2.2 the config of published clients is taken as it is', async () => {
  await using service = await serviceWith('a');
  const config = { candidate_source: 'farcaster-items', candidate_source_type: 'posts' };
  const { status, body } = await service.account.create({ name: 'x', config });
  expect([status, body.data.config]).toEqual([201, config]);
  expect(body.warnings).toHaveLength(2);
  const { config_id } = body.data;
  expect(await service.page('for-you', { feed_id: config_id })).toEqual(['a']);
  expect((await service.account.get(config_id)).body.data.config).toEqual(config);
});
