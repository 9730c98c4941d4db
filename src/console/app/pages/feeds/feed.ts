import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';

/** What people may change of a feed. */

export type SavedFeed = AnswerOf<'GET', '/api/feed/config'>['data'];
export type Config = Readonly<Record<string, unknown>>;

const FIELDS = [
  'name',
  'description',
  'endpoint',
  'status',
  'visibility',
  'config',
  'feed_image_url',
  'short_name',
] as const;

export type FeedFields = Pick<SavedFeed, (typeof FIELDS)[number]>;

export function fieldsOf(feed: FeedFields): FeedFields {
  const { name, description, endpoint, status, visibility, config, feed_image_url, short_name } = feed;
  return { name, description, endpoint, status, visibility, config, feed_image_url, short_name };
}

export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

export type Endpoint = FeedFields['endpoint'];

const TYPES: Readonly<Record<string, string>> = {
  'for-you': 'For you',
  trending: 'Trending',
  popular: 'Popular',
};

/** `for-you` of `feeds/for-you` and `casts/feed/for-you`. */
export function typeOf(endpoint: string): string {
  return endpoint.split('/').at(-1) ?? '';
}

export function typeText(endpoint: string): string {
  return TYPES[typeOf(endpoint)] ?? endpoint;
}

/** The same object with another value of a key. Undefined removes the key. */
export function withKey<T extends object>(object: T, key: string, value: unknown): T {
  const next: T = { ...object, [key]: value };
  if (value === undefined) delete (next as Record<string, unknown>)[key];
  return next;
}

/** A value that is an object, else an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
