import type { SavedFeed } from '../../../../../openapi/client/src/index.ts';

/** What people may change of a feed, and the values in its config. */

export type Config = Readonly<Record<string, unknown>>;

export type FeedFields = ReturnType<typeof fieldsOf>;

export function fieldsOf(
  feed: Pick<
    SavedFeed,
    'name' | 'description' | 'endpoint' | 'status' | 'visibility' | 'config' | 'feed_image_url' | 'short_name'
  >,
) {
  const { name, description, endpoint, status, visibility, config, feed_image_url, short_name } = feed;
  return { name, description, endpoint, status, visibility, config, feed_image_url, short_name };
}

export type Endpoint = FeedFields['endpoint'];

export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The same object with another value of a key. Undefined removes the key. */
export function withKey<T extends object>(object: T, key: string, value: unknown): T {
  const next: T = { ...object, [key]: value };
  if (value === undefined) delete (next as Record<string, unknown>)[key];
  return next;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is an object, else an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
