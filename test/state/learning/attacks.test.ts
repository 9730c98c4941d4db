import { describe, expect, test } from 'bun:test';
import { type Random, seededRandom } from '../../../src/clock.ts';
import { SIGNAL_FEATURES } from '../../../src/learner/features.ts';
import { viewerHash } from '../../../src/seen/seen-store.ts';
import { applyChange } from '../../../src/state/apply.ts';
import { State } from '../../../src/state/state.ts';
import { Scene } from '../../support/scene.ts';

const KEY = new Uint8Array(32);
const viewerOf = (user_id: string) => viewerHash(KEY, user_id);

/** Keys of signals, and how much honest viewers act by them. */
const SIGNALS = Uint32Array.of(11, 12, 13, 14);
const TASTE = [1, -0.3, 0.3, 0];
const BIAS = -4;
const FEED = 7;
const AUTHORS = 50;
const ITEMS = 500;
const PAGE_ITEMS = 10;
const WINDOW_SECONDS = 60;
/** No weight may be moved by more. Features are from 0 to 3, so a logit is moved by at most 0.6. */
const BOUND = 0.2;

type Byte = (random: Random, item: number, signal: number) => number;
type Likes = (item: number, bytes: readonly number[], slot: number) => boolean;

const anyByte: Byte = (random) => (random() < 0.5 ? 0 : Math.floor(256 * random()));
const authorOf = (item: number) => item % AUTHORS;

/** Viewers who are shown pages of a feed that learns, in memory. */
class Feed {
  private readonly scene = new Scene(new State({ viewerOf }));

  constructor() {
    for (let item = 0; item < ITEMS; item++) this.scene.item(`i${item}`, { author: `a${authorOf(item)}` });
  }

  /** A page of random items, on which its viewer likes some. @param wanted an item that is the first of the page */
  show(viewer: string, random: Random, likes: Likes, byteOf: Byte = anyByte, wanted?: number): void {
    const { scene } = this;
    const { state } = scene;
    scene.now += 1;
    const shown = new Set<number>();
    if (wanted !== undefined) shown.add(wanted);
    while (shown.size < PAGE_ITEMS) shown.add(Math.floor(ITEMS * random()));
    const numbers = [...shown];
    const bytes = numbers.map((item) => Array.from(SIGNALS, (_, signal) => byteOf(random, item, signal)));
    applyChange(state, {
      ...{ kind: 'shown', seq: state.seq + 1, applied_at: scene.now, viewer: viewerOf(viewer), halvings: 0 },
      page: {
        ...{ time: scene.now, feed: FEED, feed_type: 'for-you', explored: undefined },
        items: Uint32Array.from(numbers, (item) => state.items.names.key(state.items.names.find(`i${item}`))),
        slots: Uint16Array.from(numbers, (_, at) => at + 1),
        origins: new Uint8Array(PAGE_ITEMS),
        signals: SIGNALS,
        signal_values: Uint8Array.from(bytes.flat()),
        learning: { window_seconds: WINDOW_SECONDS, is_reported: false, is_control: false, is_learned: true },
      },
    });
    for (const [at, item] of numbers.entries())
      if (likes(item, bytes[at], at + 1)) scene.act(viewer, 'like', `i${item}`);
  }

  honest(viewer: string, random: Random): void {
    this.show(viewer, random, (_, bytes, slot) => {
      const logit = bytes.reduce((sum, byte, at) => sum + TASTE[at] * SIGNAL_FEATURES[byte], BIAS);
      return random() < 1 / Math.log2(1 + slot) / (1 + Math.exp(-logit));
    });
  }

  /** The weights by which pages are ordered, after all windows have passed. */
  weights(): number[] {
    const { scene } = this;
    scene.now += WINDOW_SECONDS;
    scene.user('somebody');
    return [0, FEED].flatMap((feed) => {
      const model = scene.state.learning.modelOf('for-you', feed);
      return Array.from(SIGNALS, (key) => model?.weightOf(key) ?? 0);
    });
  }
}

/** How far an attack moves each weight: two feeds have the same honest pages, and one of them is attacked. */
function moved(honest_pages: number, seed: number, attack: (feed: Feed, page: number) => unknown): number[] {
  const [plain, attacked] = [false, true].map((is_attacked) => {
    const feed = new Feed();
    const random = seededRandom(seed);
    for (let page = 0; page < honest_pages; page++) {
      feed.honest(`h${page % 300}`, random);
      if (is_attacked) attack(feed, page);
    }
    return feed.weights();
  });
  return plain.map((weight, at) => attacked[at] - weight);
}

/** The attacker comes after 900 honest pages, and never stops. */
const isLate = (page: number) => page >= 900;

describe('a poisoned log', () => {
  test.each<[string, Likes]>([
    ['nearly everything', (_, __, slot) => slot < PAGE_ITEMS],
    ['what others do not like', (_, [first]) => first === 0],
    ['one item a page', (_, __, slot) => slot === PAGE_ITEMS],
  ])('of a viewer who acts on %s moves no weight by more than the bound', (_, likes) => {
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed + 100);
      const by = moved(1_000, seed, (feed, page) => isLate(page) && feed.show('attacker', random, likes));
      expect(Math.max(...by.map(Math.abs))).toBeLessThan(BOUND);
    }
  });

  test('of 1,000 viewers who act on one author moves no weight by more than the bound', () => {
    // Of the signals of the author's items, the third is high: the strongest sign that an attacker can make.
    const byteOf: Byte = (random, item, signal) =>
      authorOf(item) === 0 ? (signal === 2 ? 255 : 0) : anyByte(random, item, signal);
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed + 100);
      const by = moved(1_000, seed, (feed, page) =>
        feed.show(`attacker-${page}`, random, (item) => authorOf(item) === 0, byteOf, AUTHORS * (page % 10)),
      );
      expect(Math.max(...by.map(Math.abs))).toBeLessThan(BOUND);
    }
  });

  test('moves weights by more if the attackers are as many as the honest viewers in all things', () => {
    const random = seededRandom(9);
    const by = moved(1_000, 1, (feed, page) =>
      feed.show(`attacker-${page}`, random, (_, [first]) => first === 0),
    );
    expect(Math.max(...by.map(Math.abs))).toBeGreaterThan(BOUND);
  });
});
