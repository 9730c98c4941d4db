import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, KEY, openCommunity } from '../support.ts';

const community = await forFile(
  openCommunity({ settings: { plugins: join(import.meta.dir, '..', 'acme-plugin.ts') } }),
);
for (let at = 0; at < 4; at++) {
  await community.addItem(`item-${at}`, {
    author_id: `author-${at}`,
    created_at: START - at,
    likes_count: at,
    ai_labels: { gaming: at / 4 },
  });
}

const VIEWER = { user_id: 'viewer' };
const PROMOTION = { promotion_type: 'feed', promotion_name: 'p', percent: 50 };

/** A body with null for every empty field of a form, and the same without these fields. */
const FORMS: [string, Fields, Fields][] = [
  [
    'the bounds of a filter',
    { filters: { engagement: { min_likes_count: 2, max_likes_count: null, min_shares_count: null } } },
    { filters: { engagement: { min_likes_count: 2 } } },
  ],
  [
    'a filter that has nothing but empty bounds',
    { filters: { engagement: { min_likes_count: null, max_likes_count: null } } },
    {},
  ],
  [
    'the objects in the list of a filter',
    { filters: { ai_labels: [{ label: 'gaming', threshold: null }] } },
    { filters: { ai_labels: [{ label: 'gaming' }] } },
  ],
  [
    'the options of a scoring function',
    { scoring: { name: 'weighted_v0.0.1', options: { weights: null } } },
    { scoring: { name: 'weighted_v0.0.1' } },
  ],
  [
    'all options of a scoring function',
    { scoring: { name: 'weighted_v0.0.1', options: null } },
    { scoring: 'weighted_v0.0.1' },
  ],
  [
    'the options of a built-in rule',
    { visibility_rules: { hidden: { author_items: null, author_days: 2 } } },
    { visibility_rules: { hidden: { author_days: 2 } } },
  ],
  [
    "the options of a third party's scoring function",
    { scoring: { name: 'acme/oldest_v1.0.0', options: { scale: null } } },
    { scoring: 'acme/oldest_v1.0.0' },
  ],
  [
    'the filters of a promotion',
    {
      promotion_filters: [
        { ...PROMOTION, feed_id: null, filters: { engagement: { min_likes_count: null } } },
      ],
    },
    { promotion_filters: [{ ...PROMOTION, filters: { engagement: {} } }] },
  ],
];

/** The feed types of which the request may name its scoring function. */
const typesFor = ({ scoring }: Fields) =>
  JSON.stringify(scoring ?? '').includes('weighted') ? (['for-you'] as const) : FEED_TYPES;

describe('null counts as not given for', () => {
  for (const [what, with_nulls, without] of FORMS) {
    test(`${what}, in a request and in a saved feed`, async () => {
      for (const feed_type of typesFor(with_nulls)) {
        const plain = await community.ids(feed_type, { ...VIEWER, seed: 1, ...without });
        expect(await community.ids(feed_type, { ...VIEWER, seed: 1, ...with_nulls })).toEqual(plain);
        const object = { name: what, endpoint: `casts/feed/${feed_type}`, config: with_nulls };
        const { status, body } = await community.server.post('/api/feed/config', object);
        expect([status, body.errors, body.warnings]).toEqual([201, undefined, undefined]);
        expect(body.data.config).toEqual(with_nulls);
        const { config_id: feed_id } = body.data;
        expect(await community.ids(feed_type, { ...VIEWER, seed: 1, feed_id })).toEqual(plain);
      }
    });
  }
});

test('a required field that is null is missing', async () => {
  const cases: [Fields, string][] = [
    [{ filters: { 'acme/since': { seconds: null } } }, '/filters/acme~1since/seconds'],
    [{ filters: { ai_labels: [{ label: null, threshold: 0.5 }] } }, '/filters/ai_labels/0'],
    // An unknown name is a spelling mistake, whatever its value.
    [{ filters: { chanels: null } }, '/filters/chanels'],
    [{ visibility_rules: { seeen: null } }, '/visibility_rules/seeen'],
  ];
  for (const [request, path] of cases) {
    const { status, body } = await community.ask('popular', request);
    expect([status, body.errors[0].path]).toEqual([400, path]);
  }
});

test('a preview treats null in the same way', async () => {
  const body = {
    endpoint: 'casts/feed/popular',
    config: { filters: { engagement: { min_likes_count: null } } },
  };
  expect((await community.server.call('POST', '/api/feed/preview', body, KEY)).status).toBe(200);
});
