import { describe, expect } from 'bun:test';
import { START } from '../../support/service.ts';
import {
  type Community,
  FEED_TYPES,
  type Fields,
  testCommunity as it,
  openCommunity,
  smallestBody,
} from '../support.ts';

const FULL_ITEM = {
  item_id: '0x07cb1f36',
  author_id: 2,
  created_at: START - 3600.25,
  text: 'New record out today!',
  embed_items: ['https://music.example.com/a/1', 'https://www.example.org/x'],
  channel: 'https://example.community/channel/music',
  parent_item_id: '0xparent',
  root_item_id: '0xroot',
  app_fid: 9152,
  language: 'en',
  publication_types: ['Images'],
  geo_location: '34.05,-118.24',
  ai_labels: { music: 0.93, positive: 0.7, spam: 0.2 },
  likes_count: 95,
  comments_count: 20,
  shares_count: 8,
  updated_at: START - 60,
  mentioned_profiles: [361635, 'somebody'],
  metadata: { price: 12, nested: { list: [1, null, 'x'] } },
};
const AUTHOR = {
  user_id: '2',
  username: 'v',
  display_name: 'Violet V.',
  pfp_url: 'https://example.com/violet.png',
};

const FULL_METADATA = {
  text: 'New record out today!',
  embed_items: ['https://music.example.com/a/1', 'https://www.example.org/x'],
  timestamp: START - 3601,
  root_parent_hash: '0xroot',
  parent_hash: '0xparent',
  root_parent_url: 'https://example.community/channel/music',
  mentioned_profiles: ['361635', 'somebody'],
  ai_labels: {
    topics: ['music'],
    sentiment: ['positive'],
    emotion: [],
    moderation: [],
    web3_topics: [],
    other: [],
  },
  app_fid: '9152',
  geo_location: '34.05,-118.24',
  language: 'en',
  publication_types: ['image'],
  likes_count: 95,
  comments_count: 20,
  shares_count: 8,
  author: AUTHOR,
  custom: { price: 12, nested: { list: [1, null, 'x'] } },
};

const EMPTY_METADATA = {
  text: '',
  embed_items: [],
  timestamp: START,
  root_parent_hash: null,
  parent_hash: null,
  root_parent_url: null,
  mentioned_profiles: [],
  ai_labels: { topics: [], sentiment: [], emotion: [], moderation: [], web3_topics: [], other: [] },
  app_fid: null,
  geo_location: null,
  language: null,
  publication_types: [],
  likes_count: 0,
  comments_count: 0,
  shares_count: 0,
  author: { user_id: 'author', username: null, display_name: null, pfp_url: null },
  custom: {},
};

const ITEM_FIELDS = [
  'item_id',
  'source_feed',
  'score',
  'adjusted_score',
  'popular_score',
  'trending_score',
  'affinity_score',
  'interest_score',
  'social_proof',
  'following_engagement',
  'text_length',
];
const SCORES = ITEM_FIELDS.filter((name) => name.endsWith('score'));

describe('an item of an answer', () => {
  it('an item has every field, and metadata only if requested', async (community) => {
    await community.add('items', FULL_ITEM);
    await community.add('users', AUTHOR);
    for (const feed_type of FEED_TYPES) {
      const request = { ...smallestBody(feed_type), top_k: 1 };
      const [item] = await community.page(feed_type, request);
      expect(Object.keys(item)).toEqual(ITEM_FIELDS);
      expect(item).toMatchObject({
        item_id: '0x07cb1f36',
        source_feed: `main:${feed_type}`,
        social_proof: [],
        following_engagement: { like: 0, comment: 0, share: 0 },
        text_length: 21,
      });
      const scores = Object.entries(item).filter(([name]) => SCORES.includes(name));
      for (const [, score] of scores) expect(Number.isFinite(score) && Number(score) >= 0).toBe(true);
      expect(item.adjusted_score).toBe(item.score);
      const [described] = await community.page(feed_type, { ...request, return_metadata: true });
      expect(described).toEqual({ ...item, metadata: FULL_METADATA });
      expect(Object.keys(described.metadata ?? {})).toEqual(Object.keys(FULL_METADATA));
    }
  });

  it('the metadata of an item without details still has every key', async (community) => {
    await community.addItem('bare');
    const { metadata } = await community.shown('bare', { return_metadata: true });
    expect(metadata).toEqual(EMPTY_METADATA);
    expect(Object.keys(metadata ?? {})).toEqual(Object.keys(FULL_METADATA));
  });

  it('a later record removes values from the metadata of an item', async (community) => {
    await community.add('items', FULL_ITEM);
    const cleared: Fields = { item_id: FULL_ITEM.item_id, text: '', embed_items: [], ai_labels: [] };
    for (const name of ['channel', 'parent_item_id', 'root_item_id', 'app_fid', 'language', 'geo_location']) {
      cleared[name] = '';
    }
    await community.add('items', { ...cleared, publication_types: [], mentioned_profiles: [], metadata: {} });
    const { metadata } = await community.shown(FULL_ITEM.item_id, { return_metadata: true });
    expect(metadata).toEqual({
      ...EMPTY_METADATA,
      timestamp: FULL_METADATA.timestamp,
      likes_count: 95,
      comments_count: 20,
      shares_count: 8,
      author: { ...EMPTY_METADATA.author, user_id: '2' },
    });
  });
});

it('text_length counts characters, not bytes or half emojis', async (community) => {
  const texts: [string, number][] = [
    ['', 0],
    ['plain', 5],
    ['grüße', 5],
    ['👋', 1],
    ['👋🏽 hé', 5],
    ['日本語', 3],
    ['\ud83d', 1],
  ];
  for (const [at, [text]] of texts.entries()) await community.addItem(`text-${at}`, { text });
  for (const [at, [, length]] of texts.entries()) {
    expect((await community.shown(`text-${at}`)).text_length).toBe(length);
  }
});

describe('labels of the metadata', () => {
  const labelsOf = async (community: Community, ai_labels: unknown) => {
    const item_id = `labelled ${community.seq}`;
    await community.addItem(item_id, { ai_labels });
    return (await community.shown(item_id, { return_metadata: true })).metadata?.ai_labels;
  };
  const open = (ai_label_threshold: number) => openCommunity({ settings: { ai_label_threshold } });
  const none = EMPTY_METADATA.ai_labels;

  it('labels are listed under their category, unknown labels under other', async (community) => {
    const one_of_each = ['gaming', 'neutral', 'joy', 'llm_generated', 'web3_defi', 'house_style'];
    expect(await labelsOf(community, one_of_each)).toEqual({
      topics: ['gaming'],
      sentiment: ['neutral'],
      emotion: ['joy'],
      moderation: ['llm_generated'],
      web3_topics: ['web3_defi'],
      other: ['house_style'],
    });
    expect(await labelsOf(community, ['__proto__', 'constructor', 'Gaming'])).toEqual({
      ...none,
      other: ['Gaming', '__proto__', 'constructor'],
    });
  });

  it('labels are listed under their category whatever group they came in', async (community) => {
    expect(await labelsOf(community, { emotion: ['gaming'], sports: 0.9 })).toEqual({
      ...none,
      topics: ['gaming', 'sports'],
    });
  });

  it('labels are listed only strictly above the threshold', async (community) => {
    expect(await labelsOf(community, { music: 0.6, gaming: 0.61, sports: 0.59, family: 0 })).toEqual({
      ...none,
      topics: ['gaming'],
    });
    await using low = await open(0.1);
    expect(await labelsOf(low, { music: 0.6, gaming: 0.1, sports: 0.05 })).toEqual({
      ...none,
      topics: ['music'],
    });
    await using highest = await open(1);
    expect(await labelsOf(highest, { music: 1 })).toEqual(none);
    await using lowest = await open(0);
    expect(await labelsOf(lowest, { music: 0.001, gaming: 0 })).toEqual({ ...none, topics: ['music'] });
  });
});

describe('the order of a page', () => {
  it('a page is ordered by score, then newest first, then by item_id', async (community) => {
    const items: [string, number, number][] = [
      ['b', 0, 0],
      ['a', 0, 0],
      ['Z', 0, 0],
      ['é', 0, 0],
      ['newer', 10, 0],
      ['newest', 10.5, 0],
      ['liked', -50, 3],
      ['liked more', -99, 4],
    ];
    await community.add(
      'items',
      ...items.map(([item_id, age, likes_count]) => ({
        item_id,
        author_id: 'author',
        created_at: START + age - 100,
        likes_count,
      })),
    );
    const popular = ['liked more', 'liked', 'newest', 'newer', 'Z', 'a', 'b', 'é'];
    expect(await community.ids('popular')).toEqual(popular);
    for (const top_k of [1, 2, 5, 7]) {
      expect(await community.ids('popular', { top_k })).toEqual(popular.slice(0, top_k));
    }
    for (const feed_type of FEED_TYPES) {
      const page = await community.page(feed_type, smallestBody(feed_type));
      const scores = page.map(({ adjusted_score }) => adjusted_score);
      expect(scores).toEqual([...scores].sort((one, other) => other - one));
      expect(page.map(({ item_id }) => item_id).sort()).toEqual([...popular].sort());
    }
  });

  it('items with score 0 stay on the page, at the end', async (community) => {
    for (let at = 0; at < 5; at++) await community.addItem(`item-${at}`, { likes_count: at % 2 });
    const page = await community.page('popular');
    expect(page.map(({ item_id }) => item_id)).toEqual(['item-1', 'item-3', 'item-0', 'item-2', 'item-4']);
    expect(page.map(({ score }) => score > 0)).toEqual([true, true, false, false, false]);
  });
});

it('popular_score is the score of a popular page, and trending_score of a trending page', async (community) => {
  await community.addItem('item', { likes_count: 20 });
  const [popular] = await community.page('popular');
  expect([popular.score, popular.popular_score]).toEqual([0.5, 0.5]);
  const [trending] = await community.page('trending');
  expect(trending.score).toBe(trending.trending_score);
  expect(trending.popular_score).toBe(0.5);
});
