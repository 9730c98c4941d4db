import type { Read } from '../plugin/reads.ts';
import {
  TEST_NOW,
  type TestInteraction,
  type TestItem,
  type TestUser,
  type TestWorld,
} from './test-world.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Values of fields that plugins read: JSON values of all types, or none. */
const FIELD_VALUES = [undefined, null, 5, 'a text', true, -1, [], { a: 1 }, 1e9, '', false, ['a text', 2]];

/** Items with extreme values, and ordinary ones. */
const ITEMS: Readonly<Record<string, TestItem>> = {
  bare: {},
  ancient: { author_id: 'ann', created_at: 0, text: 'Long ago.', likes_count: 3 },
  present: { author_id: 'bob', created_at: TEST_NOW, text: '' },
  ahead: { author_id: 'bob', created_at: TEST_NOW + 30, likes_count: 1 },
  loved: {
    author_id: 'cat',
    likes_count: 4_000_000_000,
    comments_count: 4_000_000_000,
    shares_count: 4_000_000_000,
    text: `${'All the world says so. '.repeat(400)}✓ 数 🎲`,
  },
  shared: { author_id: 'ann', shares_count: 40, created_at: TEST_NOW - 2 * DAY },
  ...Object.fromEntries(Array.from({ length: 18 }, (_, index) => [`item-${index}`, ordinary(index)])),
};

function ordinary(index: number): TestItem {
  return {
    author_id: ['ann', 'bob', 'cat', 'viewer'][index % 4],
    created_at: TEST_NOW - 100 - index * 20_000,
    likes_count: (index * 7) % 23,
    comments_count: index % 5,
    shares_count: index % 3,
    text: ['Chess in the park', 'HTTPS://example.com/a?b=c', 'Ünïcode 数学', 'a'][index % 4],
    channel: index % 3 === 0 ? 'https://example.community/channel/music' : undefined,
    app_fid: index % 6 === 0 ? '9152' : undefined,
    language: ['en', 'pt-BR', undefined][index % 3],
    publication_types: [['image'], ['video', 'text'], []][index % 3],
    embed_domains: index % 4 === 0 ? ['www.example.com'] : undefined,
    geo_location: index % 5 === 0 ? '34.05,-118.24' : undefined,
    ai_labels: index % 2 === 0 ? { music: (index % 10) / 10, spam: 1 } : undefined,
    // The parent may exist, be unknown, or be the item itself.
    parent_item_id: [undefined, 'item-2', 'nowhere', `item-${index}`][index % 4],
    root_item_id: [undefined, 'loved', 'nowhere'][index % 3],
    mentioned_profiles: index % 3 === 1 ? ['ann', 'unknown'] : undefined,
    embedding:
      index % 2 === 0 ? Array.from({ length: 16 }, (_, at) => ((index + 3) * at + 1) % 17) : undefined,
  };
}

const USERS: Readonly<Record<string, TestUser>> = {
  viewer: { follows: ['ann', 'bob'], blocks: ['dan'], seen: ['item-1', 'item-2'], username: 'viewer' },
  ann: { follows: ['viewer'], username: 'ann' },
  bob: {},
  cat: {},
  dan: { follows: ['viewer'] },
};

const INTERACTIONS: readonly TestInteraction[] = [
  ...acts('viewer', 'like', 'item-2', 'item-4', 'loved'),
  ...acts('viewer', 'view', 'item-7'),
  ...acts('viewer', 'hide', 'item-5'),
  ...acts('ann', 'like', 'item-1', 'item-4', 'shared'),
  ...acts('bob', 'share', 'item-4', 'item-8', 'item-9'),
  ...acts('dan', 'comment', 'item-4', 'ancient'),
];

function acts(user_id: string, event_type: TestInteraction['event_type'], ...item_ids: string[]) {
  return item_ids.map((item_id, at) => ({ user_id, item_id, event_type, timestamp: TEST_NOW - at * HOUR }));
}

/**
 * Worlds that every extension must handle: with a known viewer, an unknown viewer, no viewer, and no items.
 *
 * Items and users have values of all types in the fields that are read.
 */
export function sampleWorlds(reads: Iterable<Read>): TestWorld[] {
  const fields = [...reads];
  const items = mapped(ITEMS, (item, index) => withFields(item, 'item', fields, index));
  const users = mapped(USERS, (user, index) => withFields(user, 'user', fields, index));
  const interactions = INTERACTIONS;
  return [
    { items, users, interactions, viewer: 'viewer' },
    { items, users, interactions },
    { items, users, interactions, viewer: 'a stranger', seed: 7 },
    { users, viewer: 'viewer' },
  ];
}

function mapped<T>(
  records: Readonly<Record<string, T>>,
  change: (record: T, index: number) => T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(records).map(([id, record], index) => [id, change(record, index)]),
  );
}

function withFields<T extends { metadata?: Record<string, unknown> }>(
  record: T,
  of: 'item' | 'user',
  reads: readonly string[],
  index: number,
): T {
  const metadata: Record<string, unknown> = { ...record.metadata };
  for (const [at, read] of reads.entries()) {
    const [owner, field, ...path] = read.split('.');
    if (owner !== of || field !== 'metadata') continue;
    put(metadata, path, FIELD_VALUES[(index + at) % FIELD_VALUES.length]);
  }
  return { ...record, metadata };
}

function put(into: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (key === undefined) return;
  if (rest.length === 0) {
    if (value !== undefined) into[key] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  into[key] ??= inner;
  const next = into[key];
  if (typeof next === 'object' && next !== null) put(next as Record<string, unknown>, rest, value);
}
