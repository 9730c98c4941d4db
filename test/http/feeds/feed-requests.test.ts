import { describe, expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity, smallestBody, TOP_K_MAX } from '../support.ts';

const community = await forFile(openCommunity());
await community.add(
  'items',
  ...Array.from({ length: 1100 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: `author-${at % 10}`,
    created_at: START - at,
  })),
);

describe('bodies of published clients', () => {
  const bodies: [string, string[], Fields | string | undefined, number][] = [
    ['{}', ['trending', 'popular'], {}, 25],
    ['no body at all', ['trending', 'popular'], undefined, 25],
    ['an empty feed_id', ['trending', 'popular'], { feed_id: '' }, 25],
    ['an empty scoring', ['trending', 'popular'], { scoring: '' }, 25],
    ['the last day, three items', ['popular'], { scoring: '1day', top_k: 3, return_metadata: true }, 3],
    ['the last week', ['popular'], { scoring: '7day' }, 25],
    ['the last month', ['popular'], { scoring: '30day' }, 25],
    ['all time', ['popular'], { scoring: 'all' }, 25],
    [
      'a viewer, metadata, five items',
      ['for-you', 'trending', 'popular'],
      { user_id: '16085', return_metadata: true, top_k: 5, impression_count: 5 },
      5,
    ],
    [
      'a wallet and three items',
      ['for-you', 'trending', 'popular'],
      { wallet_address: '0x1234567890abcdef1234567890abcdef12345678', top_k: 3 },
      3,
    ],
  ];
  for (const [name, feed_types, body, length] of bodies) {
    test(name, async () => {
      for (const feed_type of feed_types) {
        const answer = await community.ask(feed_type, body);
        expect([feed_type, answer.status, answer.body.body.length]).toEqual([feed_type, 200, length]);
        const { page_id, ...fields } = answer.body;
        expect(Object.keys(fields)).toEqual(['status_code', 'body', 'cursor']);
        expect(page_id !== undefined).toBe(JSON.stringify(body ?? {}).includes('user_id'));
        expect(answer.body.status_code).toBe(200);
      }
    });
  }
});

describe('top_k', () => {
  for (const feed_type of FEED_TYPES) {
    test(`top_k of a ${feed_type} feed is 1 to ${TOP_K_MAX[feed_type]}, and 25 by default`, async () => {
      for (const top_k of [1, 2, TOP_K_MAX[feed_type]]) {
        expect(await community.ids(feed_type, { ...smallestBody(feed_type), top_k })).toHaveLength(top_k);
      }
      expect(await community.ids(feed_type, smallestBody(feed_type))).toHaveLength(25);
    });
  }
});

/** Every parameter that is built, with a value that would change the page or be refused were it not off. */
const BUILT = [
  'top_k',
  'filters',
  'scoring',
  'show_interacted_items',
  'remove_user_posts_from_feed',
  'visibility_rules',
  'return_metadata',
];

test('null, an empty string, an empty array and none switch off every parameter that a feed can save', async () => {
  for (const feed_type of FEED_TYPES) {
    const plain = await community.ids(feed_type, smallestBody(feed_type));
    for (const name of BUILT) {
      for (const off of [null, '', [], 'none']) {
        const request = { ...smallestBody(feed_type), [name]: off };
        const answer = await community.ask(feed_type, request);
        expect([name, off, answer.status]).toEqual([name, off, 200]);
        expect(answer.body.body.map((item: Fields) => item.item_id)).toEqual(plain);
      }
    }
  }
});

test('a filter is switched off like a parameter', async () => {
  const plain = await community.ids('trending');
  for (const off of [null, '', [], 'none']) {
    for (const key of ['channels', 'author_ids', 'start_timestamp']) {
      expect(await community.ids('trending', { filters: { [key]: off } })).toEqual(plain);
    }
  }
});

test('null is an absent value for the viewer and for numbers', async () => {
  for (const name of ['user_id', 'wallet_address', 'impression_count', 'page_number', 'seed']) {
    expect((await community.ask('trending', { [name]: null })).status).toBe(200);
    expect((await community.ask('trending', { [name]: '' })).status).toBe(200);
  }
});

test('a user may have the identifier none', async () => {
  await community.act('none', 'like', 'item-0');
  expect(await community.ids('for-you', { user_id: 'none', top_k: 500 })).not.toContain('item-0');
  const request = { user_id: 'none', top_k: 10, impression_count: 10 };
  const first = await community.ids('trending', request);
  const second = await community.ids('trending', request);
  expect(first.filter((id) => second.includes(id))).toEqual([]);
});

test('an integer user_id is its decimal string', async () => {
  await community.act('4711', 'like', 'item-5');
  for (const user_id of [4711, '4711', 4711.0]) {
    expect(await community.ids('popular', { user_id, top_k: 1000 })).not.toContain('item-5');
  }
  expect(await community.ids('popular', { user_id: '04711', top_k: 1000 })).toContain('item-5');
  const largest = Number.MAX_SAFE_INTEGER;
  await community.add('interactions', { user_id: largest, item_id: 'item-6', event_type: 'like' });
  expect(await community.ids('popular', { user_id: String(largest), top_k: 1000 })).not.toContain('item-6');
});

test('author_ids accepts integers and strings', async () => {
  await community.add('items', { item_id: 'numbered', author_id: 77, created_at: START });
  for (const author_ids of [[77], ['77']]) {
    expect(await community.ids('trending', { filters: { author_ids } })).toEqual(['numbered']);
  }
});

test('unknown fields are ignored and named in warnings', async () => {
  const { status, body } = await community.ask('trending', {
    candidate_source: 'x',
    top_k: 1,
    Top_K: 5,
    __typename: null,
  });
  expect(status).toBe(200);
  expect(body.body).toHaveLength(1);
  expect(body.warnings).toEqual([
    "unknown field 'candidate_source' was ignored",
    "unknown field 'Top_K' was ignored",
    "unknown field '__typename' was ignored",
  ]);
});

test('unknown fields after the first hundred are only counted', async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field_${at}`, at]));
  const { body } = await community.ask('trending', { ...many, ['x'.repeat(10_000)]: 1 });
  expect(body.warnings).toHaveLength(101);
  expect(body.warnings.at(-1)).toBe('4901 more unknown fields were ignored');
});

describe('a parameter of the contract', () => {
  const parameters: [string, unknown][] = [
    ['feed_id', 'feed_1'],
    ['page_size', 10],
    ['page_number', 1],
    ['time_decay', 'low'],
    ['return_only_posts_with_social_proof', true],
    ['feed_diversity_config', { max_posts_per_author: 1 }],
    ['fallback_feeds', [{ feed_id: 'feed_1' }]],
    ['return_global_fallback', true],
    ['cold_start_feed', 'feed_1'],
    ['cold_start', { feed_id: 'feed_1' }],
    ['promotion_filters', [{ promotion_type: 'items', promotion_name: 'x', promoted_items: [] }]],
    ['explain', true],
    ['request_id', 'r-1'],
  ];
  const filters: [string, unknown][] = [
    ['end_timestamp', 'days_ago:1'],
    ['app_fids', ['9152']],
    ['languages', ['en']],
    ['publication_types', ['image']],
    ['embed_domains', ['example.com']],
    ['geo_locations', ['1,2']],
    ['remove_geo_locations', ['1,2']],
    ['remove_author_ids', ['12']],
    ['ai_labels', ['gaming']],
    ['remove_ai_labels', ['spam']],
    ['engagement', { min_likes_count: 1 }],
  ];

  test('a known parameter of other services is understood or refused by name, never ignored', async () => {
    for (const feed_type of FEED_TYPES) {
      for (const [name, value] of parameters) {
        const { status, body } = await community.ask(feed_type, { user_id: 'viewer', [name]: value });
        expect([name, status < 500]).toEqual([name, true]);
        expect(JSON.stringify(body.warnings ?? [])).not.toContain('unknown');
      }
      for (const [name, value] of filters) {
        const request = { user_id: 'viewer', filters: { [name]: value } };
        const { status, body } = await community.ask(feed_type, request);
        if (status === 200) continue;
        expect([name, status, body.errors[0].path]).toEqual([name, 400, `/filters/${name}`]);
        expect(body.detail).toContain(name);
      }
    }
  });

  test('a known parameter of other services is accepted if it is off', async () => {
    for (const off of [null, '', [], 'none']) {
      const all = Object.fromEntries(parameters.map(([name]) => [name, off]));
      for (const name of ['page_number', 'explain', 'request_id', 'feed_id']) {
        if (off !== null && off !== '') delete all[name];
      }
      for (const feed_type of FEED_TYPES) {
        const { status, body } = await community.ask(feed_type, { user_id: 'v', ...all });
        expect([off, status, body.detail, body.warnings]).toEqual([off, 200, undefined, undefined]);
        expect(body.body).toHaveLength(25);
      }
    }
    const switches = {
      explain: false,
      return_global_fallback: false,
      return_only_posts_with_social_proof: false,
    };
    expect((await community.ask('trending', switches)).status).toBe(200);
  });
});

test('a seed makes a request repeatable', async () => {
  for (const seed of [0, -1, 7, Number.MAX_SAFE_INTEGER]) {
    const request = { user_id: 'seeded', seed, top_k: 50 };
    expect(await community.page('for-you', request)).toEqual(await community.page('for-you', request));
  }
});
