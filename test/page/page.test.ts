import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import type { Diversity } from '../../src/feeds/compiled-feed.ts';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { FeedType, Ordinal } from '../../src/plugin/index.ts';
import { newPage } from '../../src/seen/head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import { nextRow } from '../../src/seen/seen-write.ts';
import { tieBreak } from '../../src/signals/order.ts';
import { check } from '../support/long.ts';
import { CHANNELS, EVENT_IDS, fold, randomChanges, START, WALLETS } from '../support/random-changes.ts';
import { ReferenceState } from '../support/reference-state.ts';
import { builtIn, engineOn, itemIds, requestOn, Scene } from '../support/scene.ts';
import { digest } from '../support/state-digest.ts';
import { eligible, settingsOf, type Wishes } from './eligible.ts';

const RUNS = 30;
const REGISTRY = builtIn();
const USERS = ['u0', 'u1', 'u2', 'u3', 'u4', 'u5'];
const ITEMS = Array.from({ length: 25 }, (_, index) => `i${index}`);

const user = fc.constantFrom(...USERS);
const wishes: fc.Arbitrary<Wishes> = fc.record(
  {
    since: fc.integer({ min: START - 3, max: START + 4 }),
    authors: fc.oneof(
      fc.subarray([...USERS, 'unknown']),
      fc.constant('following' as const),
      user.map((id): `following:${string}` => `following:${id}`),
    ),
    channels: fc.subarray([...CHANNELS, 'nowhere']),
    show_interacted_items: fc.boolean(),
    remove_user_posts_from_feed: fc.boolean(),
    return_only_posts_with_social_proof: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
    time_decay: fc.constantFrom<Wishes['time_decay']>(undefined, undefined, 'high', {
      half_life_hours: 0.001,
    }),
  },
  {
    requiredKeys: [
      'show_interacted_items',
      'remove_user_posts_from_feed',
      'return_only_posts_with_social_proof',
      'time_decay',
    ],
  },
);
const scenario = fc.record({
  // Mutes and what a viewer wants more of have properties of their own.
  changes: randomChanges({ longest: 150, users: USERS, items: ITEMS }).map((changes) =>
    changes.filter(({ kind }) => kind !== 'preferences'),
  ),
  feed_type: fc.constantFrom<FeedType>('for-you', 'trending', 'popular'),
  wishes,
  viewer: fc.option(fc.oneof(user, fc.constant('stranger')), { nil: undefined }),
  page_length: fc.constantFrom(1, 3, 10, 100),
  /** Sometimes so early that items are still too far ahead. */
  now: fc.constantFrom(START + 2000, START + 86_430, START - 60, START - 62),
  /** For popular feeds. */
  popular_scoring: fc.constantFrom('all', '1day', '7day', '30day'),
});

function scoringOf({ feed_type, popular_scoring }: { feed_type: FeedType; popular_scoring: string }): string {
  return feed_type === 'popular' ? popular_scoring : 'all';
}

const diversity = fc.record(
  {
    max_posts_per_author: fc.integer({ min: 1, max: 3 }),
    min_distance_between_posts_from_same_author: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: [] },
);

function decayOf({ time_decay }: Wishes, age_seconds: number): number {
  if (time_decay === undefined) return 1;
  const half_life_hours = time_decay === 'high' ? 12 : time_decay.half_life_hours;
  // Written so that rounding orders items in the same way as in the service.
  return 2 ** (Math.max(0, age_seconds) * (-1 / (half_life_hours * 3600)));
}

/** At each slot, the best remaining item that both limits permit. */
function diversified(
  best: readonly Ordinal[],
  length: number,
  limits: Diversity,
  authorOf: (item: Ordinal) => Ordinal,
): Ordinal[] {
  const { max_posts_per_author = Infinity, min_distance_between_posts_from_same_author = 0 } = limits;
  const page: Ordinal[] = [];
  while (page.length < length) {
    const chosen = best.find((item) => {
      const author = authorOf(item);
      const authors = page.map(authorOf);
      if (page.includes(item)) return false;
      if (author === NONE) return true;
      const between = page.length - 1 - authors.lastIndexOf(author);
      const near = authors.includes(author) && between < min_distance_between_posts_from_same_author;
      return !near && authors.filter((other) => other === author).length < max_posts_per_author;
    });
    if (chosen === undefined) break;
    page.push(chosen);
  }
  return page;
}

function referenceOf(changes: readonly Change[]): ReferenceState {
  const reference = new ReferenceState();
  for (const change of changes) reference.apply(change);
  return reference;
}

describe('a page', () => {
  test('contains exactly the best eligible items, in order', () => {
    check(RUNS, [scenario, fc.option(diversity)], (drawn, feed_diversity_config) => {
      const { changes, feed_type, wishes, viewer, page_length, now } = drawn;
      const state = fold(changes);
      const engine = engineOn(state, { registry: REGISTRY });
      const scoring = scoringOf(drawn);
      const limits = feed_diversity_config ?? undefined;
      const settings = { ...settingsOf(wishes), scoring, feed_diversity_config: limits };
      const feed = compileFeed(REGISTRY, feed_type, settings);
      const request = requestOn(engine, { viewer, now, page_length });
      const page = buildList(feed, request);
      const plain = feed.scoring.bind(request);
      const score = (item: Ordinal) => plain(item) * decayOf(wishes, now - state.items.created_at(item));
      const best = eligible(referenceOf(changes), viewer, now, wishes)
        .map((id) => state.items.names.find(id))
        .sort((one, other) => score(other) - score(one) || tieBreak(state, one, other));
      const diverse = diversified(best, page_length, feed_diversity_config ?? {}, (item) =>
        state.items.author(item),
      );
      const items = page.map(({ item }) => item);
      if (feed_type !== 'for-you' || page_length >= 10) {
        expect(itemIds(state, items)).toEqual(itemIds(state, diverse));
      } else {
        // The sources of a short page do not propose every item.
        expect(items.filter((item) => !best.includes(item))).toEqual([]);
        if (feed_diversity_config === null) expect(items.length).toBe(diverse.length);
      }
      for (const { item, score: said, adjusted_score } of page) {
        expect(said).toBe(plain(item));
        expect(adjusted_score).toBeCloseTo(score(item), 12);
      }
    });
  });

  test('after page shows every eligible item exactly once', () => {
    check(RUNS, [scenario], (drawn) => {
      const { changes, feed_type, wishes, viewer, page_length, now } = drawn;
      const state = fold(changes);
      const engine = engineOn(state, { registry: REGISTRY });
      const feed = compileFeed(REGISTRY, feed_type, { ...settingsOf(wishes), scoring: scoringOf(drawn) });
      const expected = eligible(referenceOf(changes), viewer, now, wishes);
      const user = viewer === undefined ? NONE : state.users.names.find(viewer);
      if (user === NONE) return;
      const shown: number[] = [];
      let seen = SeenRow.none('viewer');
      for (;;) {
        const request = requestOn(engine, { viewer, now, page_length, seen });
        const page = buildList(feed, request).map(({ item }) => item);
        engine.scratch.takeBack();
        expect(page.length).toBe(Math.min(page_length, expected.length - shown.length));
        if (page.length === 0) break;
        shown.push(...page);
        const keys = state.items.names.keysOf(page);
        const pages = [newPage({ time: now, page_id: shown.length, feed: 0, arm: 0, keys })];
        seen = nextRow(seen, { pages }, now).row;
      }
      expect(itemIds(state, shown).sort()).toEqual(expected.sort());
    });
  });

  test('does not change the state, and assigns no ordinals', () => {
    check(12, [scenario], ({ changes, feed_type, wishes, viewer, page_length, now }) => {
      const state = fold(changes);
      const facts = () => ({
        content: digest(state, { wallets: WALLETS, event_ids: EVENT_IDS }),
        sizes: [state.users.size, state.items.size, state.changed.version],
        version: state.changed.version,
      });
      const before = facts();
      const engine = engineOn(state, { registry: REGISTRY });
      const feed = compileFeed(REGISTRY, feed_type, settingsOf(wishes));
      buildList(feed, requestOn(engine, { viewer, now, page_length }));
      expect(facts()).toEqual(before);
    });
  });

  test('without sources scores no item that a rule drops', () => {
    const scene = new Scene();
    const ids = Array.from({ length: 200 }, (_, index) => `post ${index}`);
    for (const [index, id] of ids.entries()) scene.item(id, { author: 'ann' }).count(id, 1_000 - index);
    scene.user('bob').show('bob', ...ids.slice(0, 150));
    const engine = engineOn(scene.state, { registry: REGISTRY });
    const popular = compileFeed(REGISTRY, 'popular', {});
    const scored = new Set<Ordinal>();
    const bind: typeof popular.scoring.bind = (request) => {
      const score = popular.scoring.bind(request);
      return (item) => {
        scored.add(item);
        return score(item);
      };
    };
    const feed = { ...popular, scoring: { ...popular.scoring, ceiling: undefined, bind } };
    const page = buildList(
      feed,
      requestOn(engine, { viewer: 'bob', now: scene.now, page_length: 25, seen: scene.seenBy('bob') }),
    );
    expect(page.map(({ item }) => scene.state.items.names.id(item))).toEqual(ids.slice(150, 175));
    const seen = ids.slice(0, 150).map((id) => scene.state.items.names.find(id));
    expect(seen.filter((item) => scored.has(item))).toEqual([]);
    expect(scored.size).toBe(50);
  });
});
