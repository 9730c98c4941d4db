import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BUILT_IN } from '../../plugins/index.ts';
import { monotonicMs } from '../../src/clock.ts';
import { createEngine } from '../../src/feed/create-engine.ts';
import type { TextOrder } from '../../src/feed/elsewhere.ts';
import { FeedMeter } from '../../src/feed/feed-meter.ts';
import { JsonText } from '../../src/feed/json-bytes.ts';
import { PageBuilder } from '../../src/feed/page-builder.ts';
import { PluginTiming } from '../../src/feed/plugin-timing.ts';
import { SavedFeeds } from '../../src/feed/saved-feeds.ts';
import { Registry } from '../../src/registry/registry.ts';
import { imageOf } from '../../src/state/image.ts';
import { MirrorSource } from '../../src/state/mirror.ts';
import { State } from '../../src/state/state.ts';
import { type Batch, type BatchReply, NOT_BUILT } from '../../src/threads/messages.ts';
import { PageWork, sharedOf } from '../../src/threads/page-work.ts';
import { ReadersLock } from '../../src/threads/readers-lock.ts';
import { randomChanges, START, USER_IDS } from '../support/random-changes.ts';

const SETTINGS = {
  derived_lag_ms: 100,
  ai_label_threshold: 0.6,
  geo_radius_km: 100,
  exploration_percent: 20,
  overfetch_factor: 2,
  cold_start_min_interactions: 2,
  cold_start_inactive_days: 30,
};
const SILENT = { info() {}, warn() {}, error() {} };
const decoder = new TextDecoder();

/** A state with what serves it on its own thread, and what another thread would do with it. */
function sides() {
  const state = new State();
  const registry = new Registry();
  registry.addBuiltIn(BUILT_IN);
  const engine = createEngine(state, registry, SETTINGS);
  let now = START;
  const clock = { now: () => now };
  const store = { all: async () => [], create: never, replace: never, delete: never, restore: never };
  const saved_feeds = new SavedFeeds(registry, store, clock);
  const options = { ...SETTINGS, saved_feeds, clock, effort: () => 1 as const };
  const timing = new PluginTiming(registry, monotonicMs, SILENT);
  const builder = new PageBuilder(engine, options, new FeedMeter(monotonicMs), timing, () => {});
  const source = new MirrorSource(sharedOf(engine));
  const { memory } = source;
  const lock = ReadersLock.wordsFor(1);
  const work = new PageWork({
    type: 'begin',
    settings: SETTINGS,
    rankings: ['popular'],
    memory,
    lock,
    reader: 0,
  });
  let told = 0;
  const batch = (asked: TextOrder[]): Batch => {
    source.publish();
    const places = source.movedSince(told);
    told = places.version;
    const pages = JSON.stringify(asked);
    return { type: 'batch', places, news: [], now, effort: 1, pages, work_ms: 0.1 };
  };
  return {
    state,
    engine,
    builder,
    work,
    batch,
    source,
    setNow(seconds: number) {
      now = seconds;
    },
  };
}

const never = (): Promise<never> => Promise.reject(new Error('nothing is saved here'));

function orders(seed: number): TextOrder[] {
  return USER_IDS.map((viewer_id) => ({
    feed_type: 'for-you',
    request: { user_id: viewer_id, impression_count: 3, top_k: 5, seed },
    viewer_id,
    warnings: ['w'],
  }));
}

/** Of each page the bytes of its text. */
function lengthsOf(pages: BatchReply['pages']): number[] {
  return [...pages].filter((_, at) => at % 2 === 0);
}

/** Of each page the keys of what its viewer is to have seen, in order. */
function shownOf({ pages, seen }: BatchReply): number[][] {
  const shown: number[][] = [];
  let at = 0;
  for (let page = 0; page < pages.length; page += 2) {
    const keys = [...seen.subarray(at, at + pages[page + 1])];
    shown.push(keys.sort((one, other) => one - other));
    at += keys.length;
  }
  return shown;
}

describe('what a page thread does', () => {
  test('builds the pages that the serving thread would, while things go on, and writes nothing', () => {
    fc.assert(
      fc.property(randomChanges(), fc.integer({ min: 1, max: 9 }), (changes, step) => {
        const { state, engine, builder, work, batch, setNow } = sides();
        for (let from = 0; from < changes.length; from += step) {
          const applied = changes.slice(from, from + step);
          for (const change of applied) state.apply(change);
          setNow(state.applied_at + 5);
          engine.rankings.keepUp(state.applied_at + 5);
          engine.walk.keepUp([], 3);
          engine.walk.frozen = true;
          const before = JSON.stringify(imageOf(state).outline);
          const bytes = imageOf(state).bytes.map((column) => Bun.hash(column));
          const asked = orders(from);
          const { text, pages, seen } = work.do(batch(asked));
          let [at, seen_at] = [0, 0];
          for (const [index, { feed_type, request, viewer_id, warnings }] of asked.entries()) {
            const { answer, page } = builder.buildText(feed_type, request, viewer_id, warnings);
            const [length, items] = [pages[2 * index], pages[2 * index + 1]];
            expect(length).not.toBe(NOT_BUILT);
            if (!(answer instanceof JsonText)) return;
            expect(decoder.decode(text.subarray(at, at + length))).toBe(decoder.decode(answer.bytes));
            const shown = page.slice(0, 3).map(({ item }) => state.items.names.key(item));
            expect([...seen.subarray(seen_at, seen_at + items)]).toEqual(shown);
            at += length;
            seen_at += items;
          }
          engine.walk.frozen = false;
          expect([at, seen_at]).toEqual([text.length, seen.length]);
          expect(JSON.stringify(imageOf(state).outline)).toBe(before);
          expect(imageOf(state).bytes.map((column) => Bun.hash(column))).toEqual(bytes);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('follows the state from page to page, and begins none where it lies elsewhere by now', () => {
    const { state, work, batch, source, setNow } = sides();
    const change = (item: number, author: number): void => {
      const of_item = { seq: ++seq, applied_at: START };
      state.apply({ kind: 'name', space: 'item', key: item, id: `item${item}`, ...of_item });
      const content = { created_at: START - item };
      state.apply({ kind: 'item', item, author, content, ...of_item });
    };
    let seq = 0;
    state.apply({ kind: 'name', space: 'user', key: 0, id: 'ann', seq: ++seq, applied_at: START });
    setNow(START + 5);
    for (let item = 0; item < 3; item++) change(item, 0);
    const asked = orders(1).slice(0, 2);
    const first = work.do(batch(asked));
    expect(shownOf(first)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    // The columns lie where they lay: the batch that is under way sees what has happened.
    const under_way = batch(asked);
    state.apply({ kind: 'deletion', item: 1, seq: ++seq, applied_at: START });
    source.publish();
    expect(shownOf(work.do(under_way))).toEqual([
      [0, 2],
      [0, 2],
    ]);
    const left = batch(asked);
    // So many that columns move.
    for (let item = 3; item < 3_000; item++) change(item, 0);
    source.publish();
    const { pages, text, more } = work.do(left);
    expect([pages.length, text.length, more]).toEqual([0, 0, true]);
    expect(shownOf(work.do(batch(asked))).map(({ length }) => length)).toEqual([3, 3]);
  });

  test('leaves to the serving thread what it cannot build, which tells why', () => {
    const { work, batch } = sides();
    const [order] = orders(1);
    const unknown = { ...order, request: { ...order.request, feed_id: 'feed_7' } };
    const with_metadata = { ...order, request: { ...order.request, return_metadata: true } };
    const { pages } = work.do(batch([unknown, order, with_metadata]));
    expect(lengthsOf(pages).map((length) => length === NOT_BUILT)).toEqual([true, false, true]);
  });

  test('builds a saved feed as it was saved last', () => {
    const { work, batch } = sides();
    const [order] = orders(1);
    const saved = { feed_id: 'feed_7', account: 'a', revision: 1, created_at: 1, updated_at: 1 };
    const content = JSON.stringify({
      name: 'n',
      description: '',
      feed_image_url: '',
      short_name: null,
      endpoint: 'casts/feed/for-you',
      status: 'active',
      visibility: 'private',
      config: {},
    });
    const asked = [{ ...order, request: { ...order.request, feed_id: 'feed_7', account: 'a' } }];
    const built = (news: Batch['news']) =>
      lengthsOf(work.do({ ...batch(asked), news }).pages).map((length) => length !== NOT_BUILT);
    expect(built([{ saved: { ...saved, content } }])).toEqual([true]);
    expect(built([{ removed: 'feed_7' }])).toEqual([false]);
    expect(built([{ all: [{ ...saved, content }] }])).toEqual([true]);
  });
});
