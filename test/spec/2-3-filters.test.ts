import { expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { FEED_TYPES, serviceWith } from './support.ts';

/** Every field of the section, as published clients save them. */
const EMPTY = {
  channels: [],
  app_fids: [],
  geo_locations: [],
  remove_geo_locations: [],
  ai_labels: [],
  remove_ai_labels: [],
  publication_types: [],
  author_ids: [],
  remove_author_ids: [],
  embed_domains: [],
};
const FULL = {
  channels: ['https://example.community/music'],
  app_fids: ['9152', 1],
  geo_locations: ['34.05,-118.24'],
  remove_geo_locations: ['48.85,2.35'],
  ai_labels: ['music'],
  remove_ai_labels: ['spam'],
  publication_types: ['image'],
  author_ids: ['12', 34],
  remove_author_ids: ['56'],
  embed_domains: ['videos.example'],
  start_timestamp: 'days_ago:7',
};

test('2.3 all arrays may be empty: an empty one filters nothing', async () => {
  await using service = await serviceWith('a', 'b');
  const feed_id = await service.account.add({ config: { filters: EMPTY } });
  expect(await service.set('for-you', { feed_id })).toEqual(['a', 'b']);
  for (const type of FEED_TYPES) expect(await service.set(type, { filters: EMPTY })).toEqual(['a', 'b']);
});

test('2.3 every field may be saved and given with a request, and comes back as it was sent', async () => {
  await using service = await serviceWith('a');
  const feed_id = await service.account.add({ config: { filters: FULL } });
  expect((await service.account.get(feed_id)).body.data.config.filters).toEqual(FULL);
  for (const type of FEED_TYPES) expect(await service.page(type, { filters: FULL })).toEqual([]);
  expect(await service.page('for-you', { feed_id })).toEqual([]);
});

test('2.3 a value of another type is refused, when saved and when asked', async () => {
  await using service = await serviceWith('a');
  const wrong: Fields = {
    channels: 'x',
    app_fids: [true],
    geo_locations: ['34.05'],
    remove_geo_locations: [[34.05, -118.24]],
    ai_labels: [5],
    remove_ai_labels: 'spam',
    publication_types: [null],
    author_ids: 12,
    remove_author_ids: [{}],
    embed_domains: [5],
    start_timestamp: 'weeks_ago:1',
  };
  expect(Object.keys(wrong)).toEqual(Object.keys(FULL));
  for (const [key, value] of Object.entries(wrong)) {
    const filters = { [key]: value };
    const asked = await service.community.ask('popular', { filters });
    const saved = await service.account.create({ name: 'x', config: { filters } });
    expect([key, asked.status, saved.status]).toEqual([key, 400, 400]);
    expect(asked.body.errors[0].path).toStartWith(`/filters/${key}`);
    expect(saved.body.errors[0].path).toStartWith(`/config/filters/${key}`);
  }
});

test('2.3 start_timestamp of the form days_ago:<n> moves with the clock', async () => {
  await using service = await serviceWith('a');
  const filters = { start_timestamp: 'days_ago:7' };
  const { clock } = service.community.server;
  clock.advance(7 * 86_400);
  expect(await service.page('popular', { filters })).toEqual(['a']);
  clock.advance(1);
  expect(await service.page('popular', { filters })).toEqual([]);
});
