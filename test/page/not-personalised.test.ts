import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { FEED_TYPES, type FeedType } from '../../src/plugin/index.ts';
import type { SeenRow } from '../../src/seen/seen-row.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { builtIn, engineOn, HOUR, NOW, requestOn, Scene } from '../support/scene.ts';

const registry = builtIn();
const SIGNALS = registry.ids('signals');
const WITHOUT = { personalised: false };
const ITEMS = 24;
const of = (length: number) => Array.from({ length }, (_, index) => index);

/** Items of six authors with channels, labels and embeddings, and fans who like many of them. */
function community(): Scene {
  const scene = new Scene();
  for (const index of of(ITEMS)) {
    const vector = Int8Array.from({ length: 16 }, (_, at) => (at === index % 3 ? 100 : (index * at) % 7));
    scene.item(`i${index}`, {
      author: `a${index % 6}`,
      channel: `c${index % 4}`,
      language: 'en',
      ai_labels: { [`l${index % 5}`]: 0.9 },
      embedding: Buffer.from(vector.buffer).toString('base64'),
      created_at: NOW - HOUR * index,
    });
    for (const fan of of(index % 5)) scene.act(`fan${fan}`, 'like', `i${index}`, NOW - 60 * index);
  }
  return scene;
}

interface Scoring {
  name: string;
  options: Record<string, unknown>;
  feed_type: FeedType;
}

const onEach = (
  name: string,
  options: Scoring['options'],
  feeds: readonly FeedType[] = FEED_TYPES,
): Scoring[] => feeds.map((feed_type) => ({ name, options, feed_type }));
const bySignal = (signal: string) => onEach('weighted_v0.0.1', { weights: { [signal]: 1 } });

/** All ways to score a feed: every scoring function, and every signal alone. */
const SCORINGS = [
  ...registry.all('scoring_functions').flatMap(({ id, extension: { feeds } }) => onEach(id, {}, feeds)),
  ...SIGNALS.flatMap(bySignal),
];

function pageOf(state: State, viewer: string, { feed_type, ...scoring }: Scoring, seen?: SeenRow) {
  const engine = engineOn(state, { registry, exploration_percent: 20 });
  const feed = compileFeed(registry, feed_type, { scoring, show_interacted_items: true });
  return buildList(feed, requestOn(engine, { viewer, page_length: 12, seen }));
}

/** The error of whatever reads the log of a user from now on, in this state. */
function closeLog({ interactions: { by_user: log }, users }: State, user: string): void {
  const closed = users.names.find(user);
  const methods = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(log));
  for (const [name, { value: method }] of Object.entries(methods)) {
    // Methods that get a user. The others get positions, which these give.
    if (typeof method !== 'function' || !/^\w+\(\s*subject\b/.test(String(method))) continue;
    Object.defineProperty(log, name, {
      value(subject: number, ...rest: unknown[]) {
        if (subject === closed) throw new Error(`${name}: acts of ${user} are read`);
        return method.call(log, subject, ...rest);
      },
    });
  }
}

/** A viewer who follows, acted in every way except hides, and was shown items, in a state that refuses to read the acts. */
function withClosedLog(personalised: boolean): State {
  const scene = community().follow('viewer', 'a1').follow('viewer', 'fan3').follow('fan3', 'viewer');
  for (const [at, event] of ['like', 'comment', 'share', 'bookmark', 'view', 'like'].entries())
    scene.act('viewer', event, `i${at}`).act('viewer', event, `i${at + 9}`);
  scene.prefer('viewer', { personalised });
  closeLog(scene.state, 'viewer');
  return scene.state;
}

describe('a viewer with personalised: false', () => {
  const closed = withClosedLog(false);

  test.each(SCORINGS.map((scoring) => [JSON.stringify(scoring), scoring] as const))(
    'has a page by %s for which no act of the viewer is read',
    (_, scoring) => {
      expect(pageOf(closed, 'viewer', scoring)).toHaveLength(12);
    },
  );

  test('would have no such page by any signal that reads acts of other viewers', () => {
    const state = withClosedLog(true);
    const reads = (signal: string) => {
      const [scoring] = bySignal(signal);
      try {
        return pageOf(state, 'viewer', scoring).length === 0;
      } catch {
        return true;
      }
    };
    const readers = [
      'interest_all',
      'profile',
      'semantic_interest',
      'affinity_closest',
      'author_affinity',
      'dislike',
    ];
    expect(SIGNALS.filter(reads)).toEqual(expect.arrayContaining(readers));
  });

  test('gets the pages of a viewer who did other things, but follows, blocks, hid and saw the same', () => {
    const act = fc.record({
      user: fc.constantFrom('one', 'other'),
      event: fc.constantFrom('like', 'comment', 'share', 'bookmark'),
      item: fc.nat(ITEMS - 1),
      ago: fc.nat(48),
    });
    const both = fc.record({
      follows: fc.subarray(['a0', 'a1', 'fan2', 'fan3']),
      blocks: fc.subarray(['a2', 'fan1']),
      hides: fc.uniqueArray(fc.nat(ITEMS - 1), { maxLength: 4 }),
      views: fc.uniqueArray(fc.nat(ITEMS - 1), { maxLength: 4 }),
    });
    const acts_of_both = fc.array(act, { maxLength: 30 });
    check(60, [acts_of_both, both, fc.constantFrom(...SCORINGS)], (acts, common, scoring) => {
      const { follows, blocks, hides, views } = common;
      const scene = community();
      for (const viewer of ['one', 'other']) {
        for (const user of follows) scene.follow(viewer, user);
        for (const user of blocks) scene.block(viewer, user);
        for (const item of hides) scene.act(viewer, 'hide', `i${item}`);
        for (const item of views) scene.act(viewer, 'view', `i${item}`);
        scene.show(viewer, 'i1', 'i2', 'i7', 'i9').prefer(viewer, WITHOUT);
      }
      for (const { user, event, item, ago } of acts) scene.act(user, event, `i${item}`, NOW - HOUR * ago);
      const [page, other] = ['one', 'other'].map((viewer) =>
        pageOf(scene.state, viewer, scoring, scene.seenBy(viewer)),
      );
      expect(page).toEqual(other);
    });
  });
});
