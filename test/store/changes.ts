import fc from 'fast-check';
import { EVENT_SPACES, EVENT_TYPES } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import type { BlockChange } from '../../src/model/changes/block.ts';
import type { EventChange } from '../../src/model/changes/event.ts';
import type { FollowChange } from '../../src/model/changes/follow.ts';
import type { InteractionChange } from '../../src/model/changes/interaction.ts';
import type { TombstoneChange } from '../../src/model/changes/tombstone.ts';
import type { ItemContent, UserContent } from '../../src/model/contents.ts';
import type { ExperimentContent } from '../../src/model/experiment-content.ts';
import { NONE } from '../../src/model/key.ts';
import { NO_SIGNALS, ORIGINS, type ShownPage } from '../../src/model/shown-page.ts';

const UNSTAMPED = { seq: 0, applied_at: 1_700_000_000 };

export function follow(user: number, target: number, applied_at = UNSTAMPED.applied_at): FollowChange {
  return { kind: 'follow', seq: 0, applied_at, user, target, timestamp: applied_at, action: 1 };
}

export function follows(count: number): FollowChange[] {
  return Array.from({ length: count }, (_, index) => follow(index, index + 1));
}

export function followList(user: number, followed: number[], unfollowed: number[]): Change {
  const lists = { followed: Uint32Array.from(followed), unfollowed: Uint32Array.from(unfollowed) };
  return { kind: 'follow_list', ...UNSTAMPED, user, ...lists, timestamp: 1_700_000_000.5 };
}

export function block(user: number, target: number): BlockChange {
  return { kind: 'block', ...UNSTAMPED, user, target, timestamp: 1_700_000_000.25, action: 1 };
}

export function interaction(user: number, item: number): InteractionChange {
  const timestamp = UNSTAMPED.applied_at;
  return { kind: 'interaction', ...UNSTAMPED, user, item, event_type: 1, action: 1, timestamp, event_id: '' };
}

export function named(space: 'user' | 'item', key: number, id: string): Change {
  return { kind: 'name', ...UNSTAMPED, space, key, id };
}

export function itemVersion(item: number, author: number, text: string): Change {
  return { kind: 'item', ...UNSTAMPED, item, author, content: { created_at: 1_699_999_999.5, text } };
}

export function userVersion(user: number, display_name: string): Change {
  return { kind: 'user', ...UNSTAMPED, user, content: { display_name } };
}

export function counted(item: number): Change {
  const counts = { likes_count: 2 ** 40, comments_count: NONE, shares_count: 0 };
  return { kind: 'engagement', ...UNSTAMPED, item, ...counts, updated_at: 1_700_000_000.25 };
}

export function deleted(item: number): Change {
  return { kind: 'deletion', ...UNSTAMPED, item };
}

/** The row of what a user saw. */
export function viewerOf(user: number): string {
  return (user >>> 0).toString(16).padStart(32, '0');
}

export function erased(user: number): Change {
  return { kind: 'erasure', ...UNSTAMPED, user, viewer: viewerOf(user) };
}

export function retired(...items: number[]): Change {
  return { kind: 'retirement', ...UNSTAMPED, items: Uint32Array.from(items) };
}

export function event(fields: Partial<EventChange>): EventChange {
  const named = { space: 'interaction' as const, user: 0, event_id: 'an event', event_hash: 17 };
  const about = { target: NONE, item: NONE, event_type: 0, action: 1, timestamp: 1_700_000_000.25 };
  return { kind: 'event', ...UNSTAMPED, ...named, ...about, ...fields };
}

export function tombstone(low: number, applied_at = UNSTAMPED.applied_at): TombstoneChange {
  const times = { deleted_at: applied_at - 0.125, versions_from: 0 };
  return { kind: 'tombstone', seq: 0, applied_at, space: 'item', low, high: -(2 ** 31), ...times };
}

/** One change of each kind, with the values that are easiest to lose in a round trip. */
export function everyKind(): Change[] {
  return [
    named('user', 0, 'a user'),
    named('item', 0, '\ufeffодин😀\0\u001a\ud800'),
    itemVersion(0, NONE, 'text with \0, \ud800 and 😀'),
    userVersion(0, 'Zoë'),
    counted(0),
    { ...interaction(0, 0), event_id: 'reply \udc00', timestamp: 1_700_000_000.123 },
    follow(0, 1),
    followList(0, [1, 2 ** 31 - 1], []),
    followList(1, [], [0]),
    block(0, 1),
    deleted(0),
    { ...deleted(1), author: 2 ** 31 - 1 } as Change,
    erased(2 ** 31 - 1),
    retired(1, 2 ** 31 - 1),
    event({ item: 1, event_type: 1, event_id: 'at://😀/\udc00' }),
    event({ space: 'follow', target: 2 ** 31 - 1, event_hash: -(2 ** 31), action: 0 }),
    tombstone(2 ** 31 - 1),
    { kind: 'release', ...UNSTAMPED, user: 3, items: Uint32Array.from([0, 2 ** 31 - 1]) },
    { kind: 'experiment', ...UNSTAMPED, experiment: 1, content: EXPERIMENT },
    { kind: 'shown', ...UNSTAMPED, viewer: 'f'.repeat(32), halvings: 3, page: SHOWN_PAGE },
    {
      kind: 'shown',
      ...UNSTAMPED,
      viewer: '',
      halvings: 0,
      page: { ...SHOWN_PAGE, ...NO_SIGNALS },
    },
    {
      kind: 'shown_counts',
      ...UNSTAMPED,
      is_first: 1,
      items: Uint32Array.from([0, 2 ** 31 - 1]),
      counts: Uint32Array.from([1, 2 ** 32 - 1]),
      feed_days: Float64Array.from([20_000, 2 ** 31 - 1, 1, 2, 0]),
    },
    {
      kind: 'outcome',
      ...UNSTAMPED,
      viewer: `00ff${'7a'.repeat(14)}`,
      arm: 2 ** 31 - 1,
      item: 2 ** 31 - 1,
      event_type: 6,
      timestamp: 1.5,
    },
  ];
}

/** A page whose slots have every origin, and one signal. */
const SHOWN_PAGE: ShownPage = {
  ...{ time: 1_700_000_000.123, feed: 7, feed_type: 'trending', explored: { drawn: 2, from: 512 } },
  items: Uint32Array.from([5, 2 ** 31 - 1, 0, 4, 3]),
  slots: Uint16Array.from([1, 2, 9, 500, 1000]),
  origins: Uint8Array.from(ORIGINS.keys()),
  signals: Uint8Array.of(3),
  signal_values: Uint8Array.of(0, 1, 128, 254, 255),
};

export const EXPERIMENT: ExperimentContent = {
  ...{ account: 'default', name: '\0', feed_id: 'feed_1', metric: 'interactions', attribution_hours: 24 },
  ...{ status: 'running', salt: 'salt', period: 1, period_started_at: 1, ended: [], revision: 1 },
  ...{ created_at: 1, updated_at: 1, actor: 'key_1', operation: 'create' },
  variants: [
    { name: 'control', feed_id: 'feed_1', percent: 50, arm: 1 },
    { name: 'other', feed_id: 'feed_2', percent: 12.5, arm: 2 },
  ],
};

/** Any string of UTF-16 units, well-formed or not. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x1a, 0xfeff, 0xd83d, 0xde00)), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));
const key = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const keys = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })).map((items) => Uint32Array.from(items));
const viewer = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((hash) => hash.toHex());
const keyOrNone = fc.oneof(key, fc.constant(NONE));
const time = fc.double({ min: 0, max: 2 ** 32 - 1, noNaN: true }).map((value) => value + 0);
const bit = fc.integer({ min: 0, max: 1 });
const count = fc.oneof(fc.constant(NONE), fc.maxSafeNat());
const metadata = fc
  .dictionary(text, fc.jsonValue())
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));
const stamp = { seq: fc.constant(0), applied_at: time };
const pair = { ...stamp, user: key, target: key, timestamp: time, action: bit };

const itemContent: fc.Arbitrary<ItemContent> = fc.record(
  { created_at: time, text, embed_items: fc.array(text), hidden: fc.boolean(), metadata },
  { requiredKeys: ['created_at'] },
);
const userContent: fc.Arbitrary<UserContent> = fc.record({ username: text, metadata }, { requiredKeys: [] });

/** Any change, `seq` 0. */
export const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('name' as const),
    ...stamp,
    space: fc.constantFrom('user' as const, 'item' as const),
    key,
    id: text,
  }),
  fc.record({
    kind: fc.constant('item' as const),
    ...stamp,
    item: key,
    author: keyOrNone,
    content: itemContent,
  }),
  fc.record({ kind: fc.constant('user' as const), ...stamp, user: key, content: userContent }),
  fc.record({
    kind: fc.constant('engagement' as const),
    ...stamp,
    item: key,
    likes_count: count,
    comments_count: count,
    shares_count: count,
    updated_at: time,
  }),
  fc.record({
    kind: fc.constant('interaction' as const),
    ...stamp,
    user: key,
    item: key,
    event_type: fc.integer({ min: 0, max: EVENT_TYPES.length - 1 }),
    action: bit,
    timestamp: time,
    event_id: text,
  }),
  fc.record({ kind: fc.constant('follow' as const), ...pair }),
  fc.record({
    kind: fc.constant('follow_list' as const),
    ...stamp,
    user: key,
    followed: keys,
    unfollowed: keys,
    timestamp: time,
  }),
  fc.record({ kind: fc.constant('block' as const), ...pair }),
  fc.record({
    kind: fc.constant('event' as const),
    ...stamp,
    space: fc.constantFrom(...EVENT_SPACES),
    user: key,
    event_hash: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    target: keyOrNone,
    item: keyOrNone,
    event_type: fc.nat(255),
    action: bit,
    timestamp: time,
    event_id: text,
  }),
  fc.record(
    { kind: fc.constant('deletion' as const), ...stamp, item: key, author: key },
    { requiredKeys: ['kind', 'seq', 'applied_at', 'item'] },
  ),
  fc.record(
    {
      kind: fc.constant('act_deletion' as const),
      ...stamp,
      user: key,
      item: key,
      event_type: fc.nat(255),
      timestamp: time,
    },
    { requiredKeys: ['kind', 'seq', 'applied_at', 'user', 'item', 'event_type'] },
  ),
  fc.record({ kind: fc.constant('erasure' as const), ...stamp, user: keyOrNone, viewer }),
  fc.record({ kind: fc.constant('retirement' as const), ...stamp, items: keys }),
  fc.record({ kind: fc.constant('release' as const), ...stamp, user: key, items: keys }),
  fc.record({
    kind: fc.constant('outcome' as const),
    ...stamp,
    viewer: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => bytes.toHex()),
    arm: key,
    item: keyOrNone,
    event_type: fc.nat(255),
    timestamp: time,
  }),
  fc.record({
    kind: fc.constant('tombstone' as const),
    ...stamp,
    space: fc.constantFrom('user' as const, 'item' as const),
    low: fc.integer(),
    high: fc.integer(),
    deleted_at: time,
    versions_from: time,
  }),
);
