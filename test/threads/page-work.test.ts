import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BUILT_IN } from '../../plugins/index.ts';
import { monotonicMs } from '../../src/clock.ts';
import { createEngine } from '../../src/feed/create-engine.ts';
import { FeedMeter } from '../../src/feed/feed-meter.ts';
import { PageBuilder } from '../../src/feed/page-builder.ts';
import { PluginTiming } from '../../src/feed/plugin-timing.ts';
import { SavedFeeds } from '../../src/feed/saved-feeds.ts';
import { Registry } from '../../src/registry/registry.ts';
import { imageOf } from '../../src/state/image.ts';
import { MirrorSource } from '../../src/state/mirror.ts';
import { State } from '../../src/state/state.ts';
import type { Batch } from '../../src/threads/messages.ts';
import { PageWork, sharedOf } from '../../src/threads/page-work.ts';
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
  const change_waits = new Int32Array(new SharedArrayBuffer(4));
  const work = new PageWork({ type: 'begin', settings: SETTINGS, rankings: ['popular'], change_waits });
  const batch = (pages: Batch['pages']): Batch => ({
    type: 'batch',
    publication: source.publish(),
    news: [],
    now,
    effort: 1,
    pages,
    work_ms: 0.1,
  });
  return {
    state,
    engine,
    builder,
    work,
    batch,
    change_waits,
    setNow(seconds: number) {
      now = seconds;
    },
  };
}

const never = (): Promise<never> => Promise.reject(new Error('nothing is saved here'));

function orders(seed: number): Batch['pages'] {
  return USER_IDS.map((viewer_id) => ({
    feed_type: 'for-you',
    request: { user_id: viewer_id, impression_count: 3, top_k: 5, seed },
    viewer_id,
    warnings: ['w'],
  }));
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
          const { text, pages } = work.do(batch(asked));
          let at = 0;
          for (const [index, { feed_type, request, viewer_id, warnings }] of asked.entries()) {
            const { answer, page } = builder.buildText(feed_type, request, viewer_id, warnings);
            const built = pages[index];
            expect(built).not.toBeNull();
            if (built === null || !(answer instanceof Uint8Array)) return;
            const said = decoder.decode(text.subarray(at, at + built.length));
            expect(said).toBe(decoder.decode(answer));
            expect(built.seen).toEqual(page.slice(0, 3).map(({ item }) => item));
            at += built.length;
          }
          engine.walk.frozen = false;
          expect(at).toBe(text.length);
          expect(JSON.stringify(imageOf(state).outline)).toBe(before);
          expect(imageOf(state).bytes.map((column) => Bun.hash(column))).toEqual(bytes);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('begins no further page once a change waits, and tells what it has built', () => {
    const { work, batch, change_waits } = sides();
    expect(work.do(batch(orders(1))).pages.length).toBe(USER_IDS.length);
    Atomics.store(change_waits, 0, 1);
    const { pages, text, more } = work.do(batch(orders(1)));
    expect([pages.length, text.length, more]).toEqual([0, 0, true]);
  });

  test('leaves to the serving thread what it cannot build, which tells why', () => {
    const { work, batch } = sides();
    const [order] = orders(1);
    const unknown = { ...order, request: { ...order.request, feed_id: 'feed_7' } };
    const with_metadata = { ...order, request: { ...order.request, return_metadata: true } };
    const { pages } = work.do(batch([unknown, order, with_metadata]));
    expect(pages.map((page) => page === null)).toEqual([true, false, true]);
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
      work.do({ ...batch(asked), news }).pages.map((page) => page !== null);
    expect(built([{ saved: { ...saved, content } }])).toEqual([true]);
    expect(built([{ removed: 'feed_7' }])).toEqual([false]);
    expect(built([{ all: [{ ...saved, content }] }])).toEqual([true]);
  });
});
