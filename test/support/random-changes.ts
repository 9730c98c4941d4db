import fc from 'fast-check';
import { EVENT_CODE, EVENT_TYPES } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import { applyChange } from '../../src/state/apply.ts';
import type { Fields } from '../../src/state/fields.ts';
import { State } from '../../src/state/state.ts';
import { History, OWNED_LIST, START, type Step, viewerOf } from './random-history.ts';
import { maybe, steps } from './steps.ts';

export { START };

/**
 * Random valid histories over few identifiers, so that changes collide. Names come before their first use, times are
 * out of order and in the future, and erased identifiers come back with new keys.
 */

export const USER_IDS = ['u0', 'u1', 'u2', 'u3', 'u4'];
export const ITEM_IDS = ['i0', 'i1', 'i2', 'i3', 'i4', 'i5'];
export const CHANNELS = ['music', 'chess'];
export const WALLETS = ['0xaa', '0xbb'];
export const EVENT_IDS = ['e0', 'e1'];
const LIST_IDS = [OWNED_LIST, 'l1'];

/** Mostly past, sometimes future, rarely 1970, often the same time; with digits beyond milliseconds. */
const offset = fc.oneof(
  fc.constantFrom(0, -1, -2, -10, -0.0004, -0.0006, 0.4, 30, -START - 99_999),
  fc.integer({ min: -20, max: 5 }),
);
const count = fc.constantFrom(NONE, 0, 1, 2, 50);
const comment = fc.constant<number>(EVENT_CODE.comment);
const event_type = fc.oneof(comment, fc.nat(EVENT_TYPES.length - 1));

/** All fields that items are grouped and found by. */
const about: fc.Arbitrary<Omit<ItemContent, 'created_at'>> = fc.record(
  {
    hidden: fc.integer({ max: 5, min: 0 }).map((drawn) => drawn === 0),
    dismissed_reports_count: fc.nat(2),
    channel: fc.constantFrom(...CHANNELS),
    app_fid: fc.constantFrom('app', 'other app'),
    parent_item_id: fc.constantFrom('i0', 'never heard of'),
    language: fc.constantFrom('en', 'en-gb', 'pt'),
    publication_types: fc.subarray(['image', 'video']),
    embed_domains: fc.subarray(['example.com', 'blog.example.com', 'example.org']),
    ai_labels: fc.dictionary(fc.constantFrom('music', 'spam'), fc.constantFrom(0, 0.6, 1), {
      noNullPrototype: true,
    }),
    geo_location: fc.constantFrom('34.05,-118.24', '0,0'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

function anyStep(user: fc.Arbitrary<string>, item: fc.Arbitrary<string>, shown: number): fc.Arbitrary<Step> {
  const add = fc.boolean();
  const event_id = fc.constantFrom(...EVENT_IDS);
  const targets = fc.uniqueArray(fc.tuple(user, fc.boolean()), { maxLength: 4, selector: ([id]) => id });
  const acts = steps(10, 'interaction', {
    ...{ user, item, event_type, add: mostly(4), offset, event_id: fc.constantFrom('', ...EVENT_IDS) },
  });
  const lists = steps(1, 'follow_list', { user, targets, offset });
  return fc.oneof(
    steps(5, 'item', { item, author: maybe(user), created: fc.integer({ min: -3, max: 3 }), about }),
    steps(2, 'user', {
      ...{ user, hidden: fc.boolean(), wallets: fc.subarray(WALLETS) },
      geo_location: fc.constantFrom(undefined, undefined, '1,2'),
    }),
    steps(2, 'engagement', { item, counts: fc.tuple(count, count, count), updated: offset }),
    {
      weight: acts.weight,
      arbitrary: acts.arbitrary.map((act) =>
        act.event_type === EVENT_CODE.comment ? act : { ...act, event_id: '' },
      ),
    },
    steps(3, 'follow', { user, target: user, add, offset }),
    {
      weight: lists.weight,
      arbitrary: lists.arbitrary.map(({ targets, ...list }) => {
        const those = (wanted: boolean) => targets.flatMap(([id, listed]) => (listed === wanted ? [id] : []));
        return { ...list, followed: those(true), unfollowed: those(false) };
      }),
    },
    steps(2, 'user_list', {
      list: fc.constantFrom(...LIST_IDS),
      stands: mostly(4),
      by_record: add,
      users: targets,
    }),
    steps(1, 'event', { user, item: maybe(item), add, event_id }),
    steps(1, 'event', { user, target: user, add, event_id }),
    steps(1, 'block', { user, target: user, add, offset }),
    steps(2, 'preferences', {
      ...{ user, muted: fc.uniqueArray(user, { maxLength: 3 }), more: fc.uniqueArray(user, SOME) },
      personalised: fc.boolean(),
    }),
    steps(3, 'label', {
      ...{ labeler: user, user: maybe(user), item, value: fc.constantFrom('spam', 'nsfw', '!hide'), add },
      ...{ hides: fc.boolean(), expires: maybe(fc.integer({ min: -5, max: 20 })), offset },
    }),
    steps(shown, 'shown', {
      ...{ user, items: fc.uniqueArray(item, { minLength: 1, maxLength: 6 }), halvings: fc.nat(3) },
      ...{ feed: fc.constantFrom(0, 7), learning: maybe(LEARNING_PAGE), origin: fc.nat(4) },
      act: maybe(event_type),
    }),
    steps(1, 'model', {
      feed: fc.constantFrom(0, 7),
      action: fc.constantFrom('stored', 'freeze', 'thaw', 'thaw', 'reset', 'fall_back'),
    }),
    steps(1, 'experiment', { runs: mostly(3), begins: fc.boolean() }),
    steps(1, 'outcome', { user, item, variant: fc.constantFrom(1, 2, -1), event_type }),
    steps(2, 'deletion', { item }),
    steps(3, 'act_deletion', { nth: fc.nat(4), all: fc.boolean() }),
    steps(1, 'erasure', { user, keeps_items: fc.boolean() }),
    steps(1, 'erased_stranger', {}),
    steps(1, 'retirement', { items: fc.uniqueArray(item, SOME) }),
  );
}

const LEARNING_PAGE = fc.record(
  {
    window_seconds: fc.constantFrom(1, 60),
    is_reported: fc.boolean(),
    is_control: fc.boolean(),
    is_learned: fc.boolean(),
    is_unordered: fc.constant(true as const),
  },
  { noNullPrototype: true, requiredKeys: ['window_seconds', 'is_reported', 'is_control', 'is_learned'] },
);

const SOME = { minLength: 1, maxLength: 3 };

/** True but for one of so many. */
function mostly(of: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: of - 1 }).map((drawn) => drawn > 0);
}

const WAITS = [0, 0, 0.001, 0.0005, 1, 7];
const stale = fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0);

export interface HistoryOptions {
  /** Maximum number of steps. Default 60. */
  longest?: number;
  users?: readonly string[];
  items?: readonly string[];
  /** Seconds between two steps; one value is drawn per step. */
  waits?: readonly number[];
  /** How often pages are shown: an item comes as often as with 5. Default 2. */
  shown?: number;
}

/** Histories with gaps of more than an hour, so that ordinals are reused. */
export const RECYCLING: HistoryOptions = { longest: 120, waits: [0, 0, 0.001, 1, 4000] };

/** Changes in `seq` order from 1, with `applied_at` from `START` that never decreases. */
export function randomChanges(options: HistoryOptions = {}): fc.Arbitrary<Change[]> {
  const { longest = 60, users = USER_IDS, items = ITEM_IDS, waits = WAITS, shown = 2 } = options;
  const step = anyStep(fc.constantFrom(...users), fc.constantFrom(...items), shown);
  return fc
    .array(fc.tuple(step, fc.constantFrom(...waits), stale), { maxLength: longest, size: 'max' })
    .map((steps) => {
      const history = new History();
      for (const [each, pause, is_stale] of steps) history.write(each, pause, is_stale);
      return history.changes;
    });
}

/** The state after all acts of hidden users were suspended, as after a start. */
export function settled(state: State): State {
  state.settle(Number.POSITIVE_INFINITY);
  return state;
}

/** A new state after these changes, as a start builds it, with the fields that plugins declared. */
export function fold(changes: readonly Change[], fields?: Fields): State {
  const state = new State({ fields, viewerOf });
  for (const change of changes) applyChange(state, change);
  return settled(state);
}
