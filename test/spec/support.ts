import { type Account, defaultAccount } from '../http/config-support.ts';
import { type Community, type Fields, openCommunity } from '../http/support.ts';
import { START } from '../support/service.ts';

export type FeedType = 'for-you' | 'trending' | 'popular';
export const FEED_TYPES: readonly FeedType[] = ['for-you', 'trending', 'popular'];
export const DAY = 86_400;

/** A community with an account that saves feeds. */
export class Service {
  readonly account: Account;

  constructor(readonly community: Community) {
    this.account = defaultAccount(community.server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.community.server.close();
  }

  /** The item ids of a page for `viewer` unless the request says otherwise, in the order of the page. */
  page(feed_type: FeedType, request: Fields = {}): Promise<string[]> {
    return this.community.ids(feed_type, { user_id: 'viewer', ...request });
  }

  /** The same item ids, sorted. */
  async set(feed_type: FeedType, request: Fields = {}): Promise<string[]> {
    return (await this.page(feed_type, request)).toSorted();
  }

  /** Items `a`, `b`, … of an author each, from most to least liked, all published at the start. */
  async addItems(...ids: string[]): Promise<void> {
    const items = ids.map((item_id, at) => ({
      item_id,
      author_id: `author of ${item_id}`,
      created_at: START,
      likes_count: 1000 - at,
    }));
    await this.community.add('items', ...items);
  }

  /** Likes of several users: `likes('a', 'ann', 'bob')`. */
  async likes(item_id: string, ...users: string[]): Promise<void> {
    await this.community.add(
      'interactions',
      ...users.map((user_id) => ({ user_id, item_id, event_type: 'like' })),
    );
  }
}

export async function openService(): Promise<Service> {
  return new Service(await openCommunity());
}

/** A service with items `a`, `b`, … from most to least liked. */
export async function serviceWith(...ids: string[]): Promise<Service> {
  const service = await openService();
  await service.addItems(...ids);
  return service;
}

/** `item-00`, `item-01`, … */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(2, '0')}`);
}

/** 0, 1, 2 … */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, seed) => seed);
}
