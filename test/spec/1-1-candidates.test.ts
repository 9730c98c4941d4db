import { expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { DAY, FEED_TYPES, openService } from './support.ts';

const PARIS = '48.8566,2.3522';
const VERSAILLES = '48.8049,2.1204';
const BERLIN = '52.52,13.405';
const service = await forFile(openService());
const { community } = service;
await community.add('users', { user_id: 'parisian', geo_location: PARIS });
await community.addItem('plain');
await community.addItem('old', { created_at: START - 8 * DAY });
await community.addItem('week', { created_at: START - 7 * DAY });
await community.addItem('from 9152', { app_fid: '9152' });
await community.addItem('from 1', { app_fid: '1' });
await community.addItem('by parisian', { author_id: 'parisian' });
await community.addItem('berlin', { geo_location: BERLIN });
await community.addItem('music', { channel: 'https://example.community/music' });
await community.addItem('art', { channel: 'https://example.community/art' });
await community.addItem('gaming', { ai_labels: { gaming: 0.93, spam: 0.1 } });
await community.addItem('perhaps gaming', { ai_labels: { gaming: 0.6 } });
await community.addItem('spam', { ai_labels: { spam: 0.7 } });
await community.addItem('clip', { embed_items: ['https://www.videos.example/watch?v=1'] });
await community.addItem('image', { publication_types: ['image'] });
await community.addItem('image and music', { publication_types: ['image', 'music'] });
await community.addItem('english', { language: 'en' });
await community.addItem('german', { language: 'de-AT' });
await community.addItem('liked', { likes_count: 10, comments_count: 5, shares_count: 2 });

/** The items that a filter keeps, the same on every feed type. */
async function kept(filters: Fields): Promise<string[]> {
  const sets = await Promise.all(FEED_TYPES.map((feed_type) => service.set(feed_type, { filters })));
  expect(sets[1]).toEqual(sets[0]);
  expect(sets[2]).toEqual(sets[0]);
  return sets[0];
}

/** The items that a filter drops. */
async function dropped(filters: Fields): Promise<string[]> {
  const left = await kept(filters);
  return (await kept({})).filter((item_id) => !left.includes(item_id));
}

test('1.1 inclusion filters keep only matching content', async () => {
  expect(await kept({ channels: ['https://example.community/music'] })).toEqual(['music']);
});

test('1.1 exclusion filters drop matching content', async () => {
  expect(await dropped({ remove_ai_labels: ['spam'] })).toEqual(['spam']);
});

test('1.1 several filters define the pool together', async () => {
  expect(await kept({ publication_types: ['image'], remove_author_ids: ['author'] })).toEqual([]);
  expect(await kept({ publication_types: ['image', 'music'], remove_ai_labels: ['spam'] })).toHaveLength(2);
});

test('1.1 start_timestamp days_ago:<n> keeps content created within the last n days', async () => {
  expect(await dropped({ start_timestamp: 'days_ago:7' })).toEqual(['old']);
  expect(await dropped({ start_timestamp: 'days_ago:6' })).toEqual(['old', 'week']);
});

test('1.1 without a time period older content may be returned', async () => {
  expect(await kept({})).toContain('old');
});

test('1.1 app_fids keeps items coming from the listed apps', async () => {
  expect(await kept({ app_fids: ['9152'] })).toEqual(['from 9152']);
  expect(await kept({ app_fids: [9152, 1] })).toEqual(['from 1', 'from 9152']);
});

test('1.1 geo_locations keeps items from users located at the given place', async () => {
  expect(await kept({ geo_locations: [VERSAILLES] })).toEqual(['by parisian']);
  expect(await kept({ geo_locations: [PARIS, BERLIN] })).toEqual(['berlin', 'by parisian']);
});

test('1.1 remove_geo_locations drops them', async () => {
  expect(await dropped({ remove_geo_locations: [VERSAILLES] })).toEqual(['by parisian']);
});

test('1.1 author_ids keeps content from the given authors', async () => {
  expect(await kept({ author_ids: ['parisian'] })).toEqual(['by parisian']);
});

test('1.1 remove_author_ids drops content from the given authors', async () => {
  expect(await dropped({ remove_author_ids: ['parisian'] })).toEqual(['by parisian']);
});

test('1.1 channels keeps content from the listed channel URLs', async () => {
  const channels = ['https://example.community/music', 'https://example.community/art'];
  expect(await kept({ channels })).toEqual(['art', 'music']);
});

test('1.1 ai_labels keeps content tagged with one of the labels', async () => {
  expect(await kept({ ai_labels: ['gaming', 'spam'] })).toEqual(['gaming', 'spam']);
});

test('1.1 a label may carry a threshold: only content whose score is above it is kept', async () => {
  const with_threshold = (threshold: number) => kept({ ai_labels: [{ label: 'gaming', threshold }] });
  expect(await with_threshold(0.59)).toEqual(['gaming', 'perhaps gaming']);
  expect(await with_threshold(0.9)).toEqual(['gaming']);
  expect(await with_threshold(0.93)).toEqual([]);
});

test('1.1 when no threshold is given a system default applies', async () => {
  expect(await kept({ ai_labels: ['gaming'] })).toEqual(['gaming']);
});

test('1.1 remove_ai_labels drops content tagged with the labels, with an optional threshold each', async () => {
  expect(await dropped({ remove_ai_labels: ['gaming', 'spam'] })).toEqual(['gaming', 'spam']);
  expect(await dropped({ remove_ai_labels: [{ label: 'spam', threshold: 0.05 }] })).toEqual([
    'gaming',
    'spam',
  ]);
});

test('1.1 embed_domains keeps content with embedded objects from those domains', async () => {
  expect(await kept({ embed_domains: ['videos.example'] })).toEqual(['clip']);
  expect(await kept({ embed_domains: ['other.example'] })).toEqual([]);
});

test('1.1 publication_types keeps content of the given types', async () => {
  expect(await kept({ publication_types: ['images'] })).toEqual(['image', 'image and music']);
  expect(await kept({ publication_types: ['music'] })).toEqual(['image and music']);
});

test('1.1 languages keeps items posted in the chosen languages', async () => {
  expect(await kept({ languages: ['en'] })).toEqual(['english']);
  expect(await kept({ languages: ['en', 'de'] })).toEqual(['english', 'german']);
});

test('1.1 engagement sets minimum thresholds of likes, comments and shares', async () => {
  for (const [key, count] of [
    ['min_likes_count', 10],
    ['min_comments_count', 5],
    ['min_shares_count', 2],
  ] as const) {
    expect(await kept({ engagement: { [key]: count } })).toEqual(['liked']);
    expect(await kept({ engagement: { [key]: count + 1 } })).toEqual([]);
  }
});
