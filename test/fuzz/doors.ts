/** A valid request, which mutations start from. */
export interface Door {
  method: string;
  target: string;
  /** A JSON value, or text of another media type. */
  json?: unknown;
  text?: string;
  type?: string;
}

const V2 = '/v2/community';
const WALLET = '0x00000000000000000000000000000000000a0001';
const CONTRACT = '0x00000000000000000000000000000000000c0001';
const TIME = 1_767_225_000;

const FILTERS = {
  start_timestamp: 'days_ago:30',
  end_timestamp: TIME,
  app_fids: ['9152', 7],
  channels: ['https://c.example/1'],
  languages: ['en', 'pt-BR'],
  publication_types: ['image'],
  embed_domains: ['example.com', 'https://a.example.org/x'],
  geo_locations: ['34.05,-118.24'],
  remove_geo_locations: ['0,0'],
  author_ids: ['u1', 2],
  remove_author_ids: ['u9'],
  ai_labels: ['music', { label: 'gaming', threshold: 0.5 }],
  remove_ai_labels: ['spam'],
  words: ['text', 'late night', 'char*', ['#vinyl', 'English']],
  remove_words: ['jazz'],
  labeled: ['u7/fine', '*/fine'],
  remove_labeled: ['u7/spam'],
  replies: 'exclude',
  engagement: { min_likes_count: 0, max_likes_count: 100 },
};

const FEED = {
  user_id: 'u1',
  top_k: 5,
  impression_count: 2,
  filters: FILTERS,
  scoring: { name: 'weighted_v0.0.1', options: { weights: { popular: 1 } } },
  time_decay: { half_life_hours: 12 },
  learn: true,
  show_interacted_items: true,
  remove_user_posts_from_feed: false,
  return_only_posts_with_social_proof: false,
  visibility_rules: {},
  seen: { mode: 'last', after_hours: 48, rest_hours: 0.5 },
  feed_diversity_config: {
    max_posts_per_author: 2,
    min_distance_between_posts_from_same_author: 1,
    semantic: { lambda: 0.5, horizon: 3 },
  },
  fallback_feeds: [{ feed_id: 'feed_1' }],
  return_global_fallback: true,
  cold_start: { feed_id: 'feed_1', min_interactions: 1, inactive_days: 30 },
  promotion_filters: [
    {
      promotion_type: 'items',
      promotion_name: 'p',
      promoted_items: [{ item_id: 'i1', rank: 2 }, { item_id: 'i2' }],
    },
  ],
  return_metadata: true,
  explain: true,
  seed: 7,
  cursor: '',
  request_id: 'again',
};

const PAGES = {
  page_size: 3,
  page_number: 2,
  filters: { channels: ['https://c.example/1'] },
  promotion_filters: [{ promotion_type: 'feed', promotion_name: 'p', percent: 40, feed_id: 'feed_1' }],
};

const ITEM = {
  item_id: 'i1',
  author_id: 'u1',
  created_at: TIME,
  text: 'A text of more than twenty characters, in English.',
  embed_items: ['https://example.com/a.png'],
  channel: 'https://c.example/1',
  parent_item_id: 'i0',
  app_fid: '9152',
  publication_types: ['images'],
  geo_location: '34.05,-118.24',
  ai_labels: { topics: ['gaming'] },
  likes_count: 3,
  comments_count: 1,
  shares_count: 0,
  dismissed_reports_count: 1,
  updated_at: '2026-01-01T00:00:00Z',
  mentioned_profiles: ['u2'],
  embedding: [1, -0.5, 0, 0.25, 1, -0.5, 0, 0.25, 1, -0.5, 0, 0.25, 1, -0.5, 0, 0.25],
  hidden: false,
  metadata: { shop: { price: 3 } },
};
const USER = {
  user_id: 'u1',
  username: 'ann',
  display_name: 'Ann',
  pfp_url: 'https://example.com/p.png',
  geo_location: '1,2',
  wallet_addresses: [WALLET],
  created_at: TIME,
  metadata: { verified: true },
};
const ACT = {
  user_id: 'u1',
  item_id: 'i1',
  event_type: 'comment',
  timestamp: TIME,
  event_id: 'e1',
  action: 'add',
};
const FOLLOW = { user_id: 'u1', target_user_id: 'u2', timestamp: TIME, action: 'follow' };
const FOLLOWS = { target_user_ids: ['u1', 'u4', 5], timestamp: TIME };
const CONFIG = {
  name: 'Home',
  short_name: 'home',
  description: 'x',
  status: 'active',
  visibility: 'private',
  endpoint: 'casts/feed/for-you',
  config: { filters: FILTERS, top_k: 10, fallback_feeds: [{ feed_id: 'feed_1' }] },
};
const PUBLISHED = { name: 'Home', visibility: 'public', config: { bluesky: { rkey: 'home' } } };
const EXPERIMENT = {
  name: 'Home or base',
  feed_id: 'feed_1',
  variants: [
    { name: 'control', feed_id: 'feed_1', percent: 50 },
    { name: 'base', feed_id: 'feed_1', percent: 12.5 },
  ],
  metric: 'interactions',
  attribution_hours: 24,
};
const EVENT = { wallet_address: WALLET, item_id: `base.${CONTRACT}.7`, event_type: 'mint', timestamp: TIME };
const TOKEN = {
  item_id: `base.${CONTRACT}`,
  name: 'Token',
  symbol: 'T',
  decimals: 18,
  prices: [{ marketplace_id: 'm', value_usd_cents: 3, value_usd_string: '0.03' }],
  supply: '21000000',
  created_at: TIME,
};

const LABEL = {
  labeler_id: 'u7',
  item_id: 'i1',
  value: 'spam',
  timestamp: TIME,
  expires_at: TIME + 60,
  hides: false,
};
const WEIGHTED = { kind: 'channel', value: 'https://c.example/1', until: TIME };
const PREFERENCES = {
  muted: {
    words: ['late night', '#vinyl'],
    authors: ['u9', { value: 'u8', until: TIME }],
    channels: [],
    labels: ['spam'],
  },
  more: [WEIGHTED],
  less: [{ kind: 'word', value: 'synth*' }],
  personalised: true,
};
const LIST = { user_ids: ['u1', 'u4', 5], name: 'Editors' };

const SEEN = { user_id: 'u1', item_ids: ['i1', 'i2'] };

const posts = (target: string, ...values: unknown[]): Door[] =>
  values.map((json) => ({ method: 'POST', target, json }));
const ndjson = (target: string, records: readonly unknown[]): Door => ({
  method: 'POST',
  target,
  text: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  type: 'application/x-ndjson',
});
const gets = (...targets: string[]): Door[] => targets.map((target) => ({ method: 'GET', target }));

/** Valid requests to every endpoint. The records that they name may exist or not. */
export const DOORS: readonly Door[] = [
  ...posts(
    '/api/feed/config',
    { name: 'Base', endpoint: 'casts/feed/popular', config: {} },
    { name: 'Own', config: {} },
  ),
  ...['for-you', 'trending', 'popular'].flatMap((type) => [
    ...posts(`${V2}/feeds/${type}`, FEED, PAGES),
    ...posts(`${V2}/feeds/${type}/explain`, { ...FEED, item_id: 'i1' }),
    ...posts(
      `${V2}/casts/feed/${type}`,
      FEED,
      PAGES,
      { user_id: 'u1' },
      { wallet_address: WALLET, feed_id: 'feed_1' },
    ),
    ...posts(`${V2}/casts/feed/${type}/explain`, { ...FEED, item_id: 'i1' }, { ...PAGES, item_id: 'i2' }),
  ]),
  ...posts('/api/feed/config', CONFIG, { ...CONFIG, visibility: 'template', endpoint: 'casts/feed/popular' }),
  ...posts('/api/feed/config', PUBLISHED),
  ...posts('/api/experiments', EXPERIMENT),
  ...posts('/api/feed/configs', {}, { visibility: 'template' }),
  ...posts('/api/feed/preview', {
    endpoint: 'casts/feed/popular',
    config: { filters: FILTERS },
    top_k: 3,
    explain: true,
  }),
  ...posts(
    `${V2}/users/recommended`,
    {
      user_id: 'u1',
      top_k: 3,
      exclude_user_ids: ['u2', 3],
      seed: 7,
      return_metadata: true,
      explain: true,
      consistency: 'eventual',
      request_id: 'again',
      cursor: '',
    },
    { wallet_address: WALLET },
  ),
  ...posts(`${V2}/impressions`, { user_id: 'u1', item_ids: ['i1', 2], feed_id: 'feed_1' }, [
    { user_id: 'u1', item_ids: ['i1'] },
  ]),
  ...posts(`${V2}/records/read`, { users: ['u1', 2], items: ['i1'] }),
  ...posts(`${V2}/hooks/neynar`, { type: 'cast.created', data: {} }),
  ...posts('/api/tokens', { user_id: 'u1', ttl_seconds: 60 }),
  { method: 'PATCH', target: '/api/feed/config', json: { ...CONFIG, config_id: 'feed_1' } },
  {
    method: 'PATCH',
    target: '/api/feed/config?merge=true',
    json: { config_id: 'feed_1', config: { top_k: 3, filters: { languages: null } } },
  },
  {
    method: 'PATCH',
    target: '/api/experiments/exp_1',
    json: { name: 'Both', variants: [{ name: 'base', percent: 20 }], status: 'running' },
  },
  { method: 'PATCH', target: '/api/learning', json: { feed_id: 'feed_1', action: 'freeze' } },
  ...gets('/api/learning?feed_id=feed_1'),
  ...gets('/api/experiments', '/api/experiments/exp_1', '/api/experiments/exp_1/viewers.csv'),
  { method: 'DELETE', target: '/api/experiments/exp_2' },
  { method: 'DELETE', target: '/api/feed/config?config_id=feed_2' },
  { method: 'POST', target: '/api/feed/config/restore?config_id=feed_2' },
  { method: 'POST', target: '/api/demo' },
  ...posts('/api/console/session', { code: 'abc' }),
  { method: 'POST', target: '/api/demo' },
  ...gets(
    '/api/feed/config?config_id=feed_1',
    '/api/feed/config/revisions?config_id=feed_1',
    '/api/feed/config/deleted',
    '/api/feed/config/revisions/1?config_id=feed_1',
    '/api/session',
    '/api/metrics/history?window=1h',
    '/api/metrics/plugins',
    '/api/totals',
    `${V2}/items?search=i&limit=3`,
    `${V2}/items?author_id=u1`,
    `${V2}/users?search=u`,
    `${V2}/channels?search=https&limit=3`,
    `${V2}/values?filter=languages&limit=3`,
    `${V2}/items/i1/similar?by=both&limit=3&user_id=u1`,
    `${V2}/items/similar?item_id=i1&by=acts&user_id=u2`,
    `${V2}/items/similar`,
    `${V2}/items/i1/counts?every=1h`,
    '/api/community-health?days=3',
    `${V2}/items/counts?item_id=i1&every=1d`,
    `${V2}/items/i1/interactions?event_type=like&limit=2&cursor=1767225600.5-1`,
    `${V2}/items/interactions?item_id=i1`,
    `${V2}/items?text=more+than&author_id=u1&cursor=1767225600-1&limit=2`,
    `${V2}/users/u1/insight`,
    `${V2}/users/insight?user_id=u1`,
    `${V2}/users/u1/similar?top_k=3&viewer_id=u2&explain=true&return_metadata=true`,
    `${V2}/users/similar?user_id=u1&consistency=eventual`,
    '/api/connectors',
    '/api/webhooks',
    '/api/nodes',
    '/api/metrics/plugins',
    '/api/totals',
    `${V2}/items/i1/counts?every=1h&from=1767225600&to=1767229200`,
    `${V2}/users/u1/insight`,
    `${V2}/items/i1`,
    `${V2}/items?item_id=i1`,
    `${V2}/users/u1`,
    `${V2}/users?user_id=u1`,
    `${V2}/reports?limit=3&offset=0`,
    `${V2}/reports?dismissed=true`,
    `${V2}/users/u1/export`,
    `${V2}/users/export?user_id=u1`,
  ),
  { method: 'DELETE', target: `${V2}/items/i3` },
  { method: 'DELETE', target: `${V2}/items?item_id=i6` },
  { method: 'DELETE', target: `${V2}/users/u6` },
  { method: 'DELETE', target: `${V2}/users?user_id=u4` },
  { method: 'DELETE', target: `${V2}/users/u5?keep_items=true&timestamp=1767225600` },
  ...posts(`${V2}/items`, ITEM, [ITEM, { ...ITEM, item_id: 'i4' }]),
  ...posts(`${V2}/users`, USER, [USER]),
  ...posts(`${V2}/follows`, FOLLOW, [FOLLOW, { ...FOLLOW, action: 'unfollow' }]),
  ...posts(
    `${V2}/follows`,
    { ...FOLLOW, event_id: 'e2' },
    { user_id: 'u1', event_id: 'e2', action: 'unfollow' },
  ),
  { method: 'PUT', target: `${V2}/users/u2/follows`, json: FOLLOWS },
  { method: 'PUT', target: `${V2}/users/follows?user_id=u3`, json: FOLLOWS },
  ...['users/u2/preferences', 'users/preferences?user_id=u3'].flatMap((path): Door[] => [
    { method: 'PUT', target: `${V2}/${path}`, json: PREFERENCES },
    { method: 'PATCH', target: `${V2}/${path}`, json: { muted: { words: null }, less: [WEIGHTED] } },
    { method: 'GET', target: `${V2}/${path}` },
  ]),
  ...['lists/l1', 'lists?list_id=l2'].flatMap((path): Door[] => [
    { method: 'PUT', target: `${V2}/${path}`, json: LIST },
    { method: 'PATCH', target: `${V2}/${path}`, json: { add: ['u2'], remove: ['u1'] } },
    { method: 'GET', target: `${V2}/${path}` },
    { method: 'DELETE', target: `${V2}/${path}` },
  ]),
  ...posts(`${V2}/labels`, LABEL, [LABEL, { ...LABEL, action: 'remove' }]),
  ...posts(`${V2}/hooks/neynar`, { created_at: 1_767_225_600, type: 'follow.created', data: {} }),
  ...posts(`${V2}/blocks`, { user_id: 'u3', target_user_id: 'u5' }),
  ...posts(`${V2}/interactions`, ACT, [ACT, { ...ACT, event_type: 'like' }, { ...ACT, action: 'remove' }]),
  ...posts(`${V2}/interactions`, { user_id: 'u1', event_id: 'e1', action: 'remove' }),
  ...posts(`${V2}/impressions`, SEEN, [SEEN, { user_id: 'u2', item_ids: ['i3'], feed_id: 'feed_1' }]),
  ndjson(`${V2}/items`, [ITEM, { ...ITEM, item_id: 'i5' }]),
  ndjson(`${V2}/interactions`, [ACT, ACT, ACT]),
  ...gets(`/base/feed/for-you/${WALLET}?top_k=5`, '/base/feed/popular?top_k=5'),
  ...posts('/base/events', EVENT, { ...EVENT, item_id: `base.${CONTRACT}`, timestamp: undefined }),
  ...posts('/base/items', TOKEN, [
    TOKEN,
    { item_id: `base.${CONTRACT}.7`, name: 'Seven', attributes: [{ trait_type: 'a', value: 1 }] },
  ]),
  { method: 'DELETE', target: `/base/wallets/${WALLET}?timestamp=${TIME}` },
  {
    method: 'DELETE',
    target: `/base/events?wallet_address=${WALLET}&item_id=base.${WALLET}&event_type=mint&timestamp=${TIME}`,
  },
  { method: 'DELETE', target: `/base/items/base.${CONTRACT}?timestamp=${TIME}` },
  ...gets(
    '/.well-known/did.json',
    '/xrpc/app.bsky.feed.describeFeedGenerator',
    '/xrpc/app.bsky.feed.getFeedSkeleton?feed=at://did:web:localhost/app.bsky.feed.generator/home&limit=5&cursor=',
  ),
  ...posts('/xrpc/app.bsky.feed.sendInteractions', {
    interactions: [{ item: 'i1', event: 'app.bsky.feed.defs#interactionSeen', feedContext: 'feed_1' }],
  }),
  ...gets(
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/plugins',
    '/api/audit?limit=5&offset=1',
    '/api/languages',
    '/swagger',
    '/swagger/json',
    '/',
  ),
];
