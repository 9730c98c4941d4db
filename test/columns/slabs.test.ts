import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Slabs } from '../../src/columns/slabs.ts';
import { check } from '../support/long.ts';

type Pair = [number, number];

const operation = fc.record({
  subject: fc.nat(6).map((drawn) => (drawn === 6 ? 200 : drawn)),
  /** Weighted towards insertion, so that lists outgrow their regions. */
  act: fc.constantFrom(
    ...['insert', 'insert', 'insert', 'insert'],
    ...['remove', 'clear', 'trim', 'remove first'],
  ),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  value: fc.nat(60_000),
});

function newSlabs() {
  return new Slabs({ small: new Uint16Array(1), large: new Float64Array(1) });
}

function list(slabs: ReturnType<typeof newSlabs>, subject: number): Pair[] {
  const pairs: Pair[] = [];
  for (let at = slabs.start(subject); at < slabs.end(subject); at++) {
    pairs.push([slabs.columns.small[at], slabs.columns.large[at]]);
  }
  return pairs;
}

/** The values in memory that no list uses. */
function outsideLists(slabs: ReturnType<typeof newSlabs>): number[] {
  const used = new Set<number>();
  for (let subject = 0; subject <= 200; subject++)
    for (let at = slabs.start(subject); at < slabs.end(subject); at++) used.add(at);
  const { small, large } = slabs.columns;
  return [...small, ...large].filter((value, at) => value !== 0 && !used.has(at % small.length));
}

describe('slabs', () => {
  test('slabs hold one list per subject as arrays would, in every column', () => {
    check(80, [fc.array(operation, { maxLength: 200, size: 'max' })], (operations) => {
      const slabs = newSlabs();
      const model = new Map<number, Pair[]>();
      for (const { subject, act, place, value } of operations) {
        const pairs = model.get(subject) ?? [];
        model.set(subject, pairs);
        const back = Math.floor(place * (pairs.length + 1));
        if (act === 'clear' && place < 0.3) {
          slabs.clear(subject);
          pairs.length = 0;
        } else if (act === 'trim') {
          slabs.trim(subject);
        } else if (act === 'remove first') {
          const count = Math.min(back, pairs.length);
          slabs.removeFirst(subject, count);
          pairs.splice(0, count);
        } else if (act === 'remove' && pairs.length > 0) {
          const index = Math.min(back, pairs.length - 1);
          slabs.remove(subject, slabs.start(subject) + index);
          pairs.splice(index, 1);
        } else {
          const at = slabs.insert(subject, back);
          slabs.columns.small[at] = value;
          slabs.columns.large[at] = value / 7;
          pairs.splice(pairs.length - back, 0, [value, value / 7]);
        }
        expect(slabs.length(subject)).toBe(pairs.length);
      }
      expect(outsideLists(slabs)).toEqual([]);
      for (const [subject, pairs] of model) expect(list(slabs, subject)).toEqual(pairs);
    });
  });

  test('slabs are empty for an unknown subject of any number', () => {
    const slabs = newSlabs();
    expect([slabs.length(1e6), slabs.start(1e6), slabs.end(1e6)]).toEqual([0, 0, 0]);
    slabs.clear(1e6);
    expect(slabs.length(1e6)).toBe(0);
  });

  test('slabs give the memory of a cleared list to the next one', () => {
    const slabs = newSlabs();
    for (let round = 0; round < 1000; round++) {
      for (let index = 0; index < 50; index++) slabs.insert(round, 0);
      slabs.clear(round);
    }
    // Two chunks: one for the region that a list outgrows, and one for the next region.
    expect(slabs.columns.small.length).toBeLessThan(4096);
  });

  test('slabs give the memory of a shrunken list to others and keep its remaining elements', () => {
    const slabs = newSlabs();
    for (let subject = 0; subject < 50; subject++) {
      for (let value = 0; value < 1000; value++) slabs.columns.small[slabs.insert(subject, 0)] = value;
      slabs.removeFirst(subject, 990);
      slabs.trim(subject);
    }
    expect(slabs.columns.small.length).toBeLessThan(10_000);
    for (let subject = 0; subject < 50; subject++) {
      const values = list(slabs, subject).map(([small]) => small);
      expect(values).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
    }
  });
});
