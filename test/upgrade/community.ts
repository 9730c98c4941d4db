import { type Random, seededRandom } from '../../src/clock.ts';

/** A small community, and the pages that are compared. Everything is drawn from one seed. */

/** The present of the fixtures. */
export const NOW = Date.parse('2026-11-20T12:00:00Z') / 1000;
const DAY = 86_400;

const USERS = Array.from({ length: 24 }, (_, index) => `user-${index}`);
const ITEMS = Array.from({ length: 60 }, (_, index) => `item-${index}`);
const CHANNELS = ['art', 'food', 'music'];
const ACTS = ['like', 'like', 'like', 'comment', 'share', 'view', 'bookmark', 'hide'];
const WALLET_ACTS = ['mint', 'buy', 'bid', 'like', 'sell'];
const wallet = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
const nft = (index: number) => `base.${wallet(0xc000 + (index % 4))}.${index}`;

/** A request to the service. The key is added. */
export interface Call {
  method: string;
  path: string;
  body?: unknown;
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)];
}

function post(path: string, body: unknown): Call {
  return { method: 'POST', path, body };
}

/** The requests that fill a service, in order. They use only what the oldest fixture's version knows. */
export function fillingCalls(): Call[] {
  const random = seededRandom(44);
  const content = '/v2/farcaster';
  const items = ITEMS.map((item_id, index) => ({
    item_id,
    author_id: USERS[index % 8],
    created_at: NOW - DAY * 3 * random(),
    text: `Post number ${index} about ${pick(random, CHANNELS)}, long enough to have a language of its own.`,
    channel: pick(random, CHANNELS),
    ai_labels: { spam: random() < 0.1 ? 0.9 : 0.1 },
  }));
  const interactions = Array.from({ length: 500 }, () => ({
    user_id: pick(random, USERS),
    item_id: pick(random, ITEMS),
    event_type: pick(random, ACTS),
    timestamp: NOW - DAY * random(),
  }));
  const follows = Array.from({ length: 60 }, () => ({
    user_id: pick(random, USERS),
    target_user_id: pick(random, USERS),
    timestamp: NOW - DAY * random(),
  })).filter(({ user_id, target_user_id }) => user_id !== target_user_id);
  const events = Array.from({ length: 120 }, () =>
    post('/base/events', {
      wallet_address: wallet(1 + Math.floor(random() * 12)),
      item_id: nft(Math.floor(random() * 16)),
      event_type: pick(random, WALLET_ACTS),
      timestamp: NOW - DAY * random(),
    }),
  );
  const seen = USERS.slice(0, 6).map((user_id) =>
    post(`${content}/casts/feed/popular`, { user_id, top_k: 4, impression_count: 4 }),
  );
  return [
    post(
      `${content}/users`,
      USERS.map((user_id) => ({ user_id, username: user_id })),
    ),
    post(`${content}/items`, items),
    post(`${content}/items`, [{ item_id: 'item-3', likes_count: 30, comments_count: 3, shares_count: 1 }]),
    post(`${content}/interactions`, interactions),
    post(`${content}/follows`, follows),
    post(`${content}/blocks`, [{ user_id: 'user-1', target_user_id: 'user-2' }]),
    post('/api/feed/config', {
      name: 'Art only',
      endpoint: 'casts/feed/for-you',
      config: { filters: { channels: ['art'] }, top_k: 10 },
    }),
    ...events,
    ...seen,
    { method: 'DELETE', path: `${content}/items/item-7` },
    { method: 'DELETE', path: `${content}/users/user-23` },
  ];
}

/** The pages that are compared. None of them records anything. */
export function pageCalls(): Call[] {
  const feeds = '/v2/farcaster/casts/feed';
  const viewers = USERS.slice(0, 8);
  return [
    post(`${feeds}/popular`, { top_k: 20 }),
    post(`${feeds}/trending`, { top_k: 20 }),
    ...viewers.map((user_id) => post(`${feeds}/popular`, { user_id, top_k: 20 })),
    ...viewers.map((user_id) => post(`${feeds}/for-you`, { user_id, top_k: 20 })),
    ...viewers.map((user_id) => post(`${feeds}/for-you`, { user_id, feed_id: 'feed_1' })),
    { method: 'GET', path: '/base/feed/popular?top_k=10' },
    ...[1, 2, 3].map((index) => ({ method: 'GET', path: `/base/feed/for-you/${wallet(index)}?top_k=10` })),
  ];
}
