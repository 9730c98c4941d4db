import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Admission } from '../../src/page/admission.ts';
import { EntriesScratch, ItemBits } from '../../src/page/item-bits.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { check } from '../support/long.ts';

const ITEMS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
/** The filters keep multiples of 2, the rules multiples of 3. */
const isFiltered = (item: number) => item % 2 === 0;
const isVisible = (item: number) => item % 3 === 0;

/** An admission, and the items that its tests were called for. */
function recorded(pool?: ItemBits) {
  const filtered: number[] = [];
  const visible: number[] = [];
  const admission = new Admission(new Accumulator(), {
    filtered: (item) => filtered.push(item) > 0 && isFiltered(item),
    visible: (item) => visible.push(item) > 0 && isVisible(item),
    pool,
  });
  return { admission, filtered, visible };
}

function offered(admission: Admission): number[] {
  const items: number[] = [];
  admission.forEachOffered((item) => items.push(item));
  return items.sort();
}

describe('Admission', () => {
  test('admits items that pass the filters and the rules', () => {
    const { admission } = recorded();
    expect(ITEMS.filter(admission.admits)).toEqual([0, 6]);
  });

  test('makes an item a candidate once', () => {
    const { admission } = recorded();
    expect([2, 6, 2, 6].map((item) => admission.offer(item))).toEqual([true, true, false, false]);
    expect([2, 6].map((item) => admission.offerAdmitted(item))).toEqual([false, false]);
    expect(offered(admission)).toEqual([2, 6]);
  });

  test('makes an item that the rules drop a candidate only if rules do not matter', () => {
    const { admission } = recorded();
    expect(ITEMS.filter((item) => admission.offerAdmitted(item))).toEqual([0, 6]);
    expect(ITEMS.filter((item) => admission.offer(item))).toEqual([2, 4, 8]);
  });

  test('tests items again only if they did not pass', () => {
    const { admission, filtered, visible } = recorded();
    for (const item of [6, 6, 2, 2, 3]) admission.admits(item);
    admission.offer(6);
    expect([filtered, visible]).toEqual([
      [6, 2, 2, 3],
      [6, 2, 2],
    ]);
    expect(admission.shows(6)).toBe(true);
    expect(visible).toEqual([6, 2, 2]);
  });

  test('does not treat a candidate as an item that passed the rules', () => {
    const { admission } = recorded();
    expect([2, 6].map((item) => admission.offer(item))).toEqual([true, true]);
    expect([2, 6].map(admission.shows)).toEqual([false, true]);
    expect([2, 6].map(admission.admits)).toEqual([false, true]);
  });

  test('rejects items outside the pool without testing them', () => {
    const pool = new ItemBits(new EntriesScratch());
    pool.put(6, true);
    const { admission, filtered } = recorded(pool);
    expect(ITEMS.filter((item) => admission.offer(item))).toEqual([6]);
    expect(ITEMS.filter((item) => admission.offerAdmitted(item))).toEqual([]);
    expect(filtered).toEqual([6]);
  });

  test('gives the same results as two sets, in any order of calls', () => {
    const step = fc.record({
      item: fc.constantFrom(...ITEMS),
      act: fc.constantFrom('admit', 'offer', 'offer admitted'),
    });
    check(100, [fc.array(step, { maxLength: 60, size: 'max' })], (steps) => {
      const { admission } = recorded();
      const candidates = new Set<number>();
      for (const { item, act } of steps) {
        const admitted = isFiltered(item) && isVisible(item);
        if (act === 'admit') {
          expect(admission.admits(item)).toBe(admitted);
          continue;
        }
        const passes = !candidates.has(item) && (act === 'offer' ? isFiltered(item) : admitted);
        const given = act === 'offer' ? admission.offer(item) : admission.offerAdmitted(item);
        expect(given).toBe(passes);
        if (passes) candidates.add(item);
      }
      expect(offered(admission)).toEqual([...candidates].sort());
    });
  });
});
