import type { Ordinal } from '../ordinal.ts';
import { TEST_NOW, type TestItem, type TestUser, type TestWorld } from './world.ts';

const DAY = 86_400;

/** Values of fields that plugins read: JSON values of all types, or none. */
const FIELD_VALUES = [undefined, null, 5, 'a text', true, -1, [], { a: 1 }, 1e9, '', false, ['a text', 2]];

/** Items with extreme values, and ordinary ones. */
const ITEMS: readonly TestItem[] = [
  { item_id: 'bare' },
  { item_id: 'ancient', author_id: 'ann', created_at: 0, text: 'Long ago.', likes_count: 3 },
  { item_id: 'present', author_id: 'bob', created_at: TEST_NOW, text: '' },
  { item_id: 'ahead', author_id: 'bob', created_at: TEST_NOW + 30, likes_count: 1 },
  {
    item_id: 'loved',
    author_id: 'cat',
    likes_count: 4_000_000_000,
    comments_count: 4_000_000_000,
    shares_count: 4_000_000_000,
    text: `${'All the world says so. '.repeat(400)}✓ 数 🎲`,
  },
  { item_id: 'shared', author_id: 'ann', shares_count: 40, created_at: TEST_NOW - 2 * DAY },
  ...Array.from({ length: 18 }, (_, index): TestItem => ordinary(index)),
];

function ordinary(index: number): TestItem {
  return {
    item_id: `item-${index}`,
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
  };
}

const USERS: readonly TestUser[] = [
  {
    user_id: 'viewer',
    follows: ['ann', 'bob'],
    blocks: ['dan'],
    seen: ['item-1', 'item-2'],
    interacted: ['item-2', 'item-4', 'loved'],
    hidden: ['item-5'],
    username: 'viewer',
  },
  { user_id: 'ann', follows: ['viewer'], interacted: ['item-1', 'item-4', 'shared'], username: 'ann' },
  { user_id: 'bob', interacted: ['item-4', 'item-8'], metadata: {} },
  { user_id: 'cat' },
  { user_id: 'dan', follows: ['viewer'] },
];

/**
 * Worlds that every extension must handle: with a known viewer, an unknown viewer, no viewer, and no items.
 *
 * Items and users have values of all types in the fields that are read.
 */
export function sampleWorlds(reads: readonly string[]): TestWorld[] {
  const items = ITEMS.map((item, index) => withFields(item, 'item', reads, index));
  const users = USERS.map((user, index) => withFields(user, 'user', reads, index));
  return [
    { items, users, viewer: 'viewer' },
    { items, users },
    { items, users, viewer: 'a stranger', page_length: 1, seed: 7 },
    { users, viewer: 'viewer' },
  ];
}

/** Values in [0, 1], including both ends, that differ by item and by name. */
export function sampleSignal(name: string): (item: Ordinal) => number {
  return (item) => ((item * 7 + name.length * 3) % 11) / 10;
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
    into[key] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  into[key] ??= inner;
  const next = into[key];
  if (typeof next === 'object' && next !== null) put(next as Record<string, unknown>, rest, value);
}

/** Inputs that every promotion strategy must handle: overlapping lists and short lists. */
export const SAMPLE_MIXES = [
  { main: 0, promoted: 0, page: 5 },
  { main: 30, promoted: 0, page: 10 },
  { main: 0, promoted: 8, page: 5 },
  { main: 30, promoted: 8, page: 10 },
  { main: 3, promoted: 2, page: 10 },
  { main: 3, promoted: 3, page: 10, overlap: 3 },
  { main: 60, promoted: 60, page: 25, overlap: 10 },
  { main: 12, promoted: 4, page: 1, ranks: [1, 30] },
  { main: 12, promoted: 4, page: 6, ranks: [2, 3], overlap: 2 },
] as const;
