import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import type { Promotion } from '../../src/feeds/compiled-feed.ts';
import { mix } from '../../src/page/compose-page.ts';
import type { SourcedItem } from '../../src/page/page-item.ts';
import type { Slot } from '../../src/plugin/index.ts';
import { check } from '../support/long.ts';
import { builtIn } from '../support/scene.ts';

const main: SourcedItem[] = [1, 2, 3].map((item) => sourced(item, 'main:for-you'));
const promoted = [3, 4].map((item) => sourced(item, 'promotion:feed_1'));

function sourced(item: number, source_feed: string): SourcedItem {
  return { item, score: 1 / item, adjusted_score: 0.5 / item, source_feed };
}

const RANDOM = { overfetch_factor: 2, random: seededRandom(1) };
const own = (item: number): Slot => ({ item, promoted: false });
const foreign = (item: number): Slot => ({ item, promoted: true });

/** Mixes a page of 3 with a strategy that returns the given slots for any input. */
function mixed(...slots: Slot[]): SourcedItem[] {
  return mix(main, promoted, { id: 'acme/p_v1.0.0', mix: () => slots }, { page: 3, ...RANDOM });
}

describe('mix', () => {
  test('keeps the scores and feeds of items of both lists', () => {
    expect(mixed(own(2), foreign(3), own(1))).toEqual([main[1], promoted[0], main[0]]);
    expect(mixed(own(1), own(2), foreign(4))).toEqual([main[0], main[1], promoted[1]]);
  });

  test('accepts fewer slots than the page only if the main list has no more items', () => {
    for (const slots of [[], [own(3)], [own(1), foreign(4)]]) {
      const reason = `${slots.length} slots for a page of 3, and items of the main list are left`;
      expect(() => mixed(...slots)).toThrow(reason);
    }
    const whole = [own(1), foreign(3), own(2)];
    const long = mix(main, promoted, { id: 'acme/p_v1.0.0', mix: () => whole }, { page: 9, ...RANDOM });
    expect(long.map(({ item }) => item)).toEqual([1, 3, 2]);
    expect(mix([], promoted, { id: 'acme/p_v1.0.0', mix: () => [] }, { page: 9, ...RANDOM })).toEqual([]);
  });

  test('rejects more slots than the page', () => {
    expect(() => mixed(own(1), own(2), own(3), foreign(4))).toThrow('4 slots for a page of 3');
  });

  test('rejects an item in two slots, from either list', () => {
    expect(() => mixed(own(1), own(1))).toThrow('two slots hold the same item');
    expect(() => mixed(own(3), foreign(3))).toThrow('two slots hold the same item');
  });

  test('rejects an item that is not in the input, or not in that list', () => {
    for (const slot of [own(7), own(4), foreign(1), own(-1), own(Number.NaN)]) {
      expect(() => mixed(slot)).toThrow('not in the input');
    }
  });
});

test('mix passes both lists, the ranks and the random generator to the strategy', () => {
  const random = seededRandom(5);
  const seen: unknown[] = [];
  const promotion: Promotion = {
    id: 'acme/p_v1.0.0',
    mix: (input) => {
      seen.push(input);
      return [1, 2, 3].map(own);
    },
  };
  mix(main, [{ ...promoted[0], rank: 2 }, promoted[1]], promotion, {
    page: 3,
    overfetch_factor: 1.5,
    random,
  });
  expect(seen).toEqual([
    {
      main: [1, 2, 3],
      promoted: [{ item: 3, rank: 2 }, { item: 4 }],
      page: 3,
      overfetch_factor: 1.5,
      random,
    },
  ]);
});

test('the built-in strategies return valid pages for any lists', () => {
  const registry = builtIn();
  const list = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
  const page = fc.integer({ min: 1, max: 15 });
  check(
    500,
    [list, list, page, fc.nat(100), fc.constantFrom(1, 1.5, 2)],
    (one, other, length, percent, factor) => {
      for (const [id, options] of [
        ['feed', { percent }],
        ['items', {}],
      ] as const) {
        const run = registry.get('promotion_strategies', id)!.extension.compile(options);
        const lists = [
          one.map((item) => sourced(item, 'main')),
          other.map((item) => sourced(item, 'promotion')),
        ];
        const slots = mix(
          lists[0],
          lists[1],
          { id, mix: run },
          { page: length, overfetch_factor: factor, random: seededRandom(percent) },
        );
        expect(slots).toHaveLength(Math.min(length, new Set([...one, ...other]).size));
      }
    },
  );
});
