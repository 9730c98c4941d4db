import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Admission } from '../../src/page/admission.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';

const yes = () => true;
const no = () => false;

/** An admission that accepts even items, and the items that its test was called for. */
function evenOnes() {
  const asked: number[] = [];
  const admission = new Admission(new Accumulator(), (item) => {
    asked.push(item);
    return item % 2 === 0;
  });
  return { admission, asked };
}

describe('Admission', () => {
  test('makes an item that is offered twice a candidate only once', () => {
    const { admission } = evenOnes();
    expect([admission.offer(1, yes), admission.offer(1, yes)]).toEqual([true, false]);
    expect([admission.offer(3, no), admission.offer(3, yes), admission.offer(3, yes)]).toEqual([
      false,
      true,
      false,
    ]);
    admission.admits(2);
    expect([admission.offer(2, yes), admission.offer(2, yes)]).toEqual([true, false]);
  });

  test('makes an admitted item a candidate without calling the other test', () => {
    const { admission } = evenOnes();
    expect([admission.admits(2), admission.admits(3)]).toEqual([true, false]);
    const asked: number[] = [];
    const refuse = (item: number) => asked.push(item) === 0;
    expect([admission.offer(2, refuse), admission.offer(3, refuse), admission.offer(4, refuse)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(asked).toEqual([3, 4]);
  });

  test('does not treat an item that passed another test as admitted', () => {
    const { admission, asked } = evenOnes();
    expect([2, 3, 2, 3].map((item) => admission.offerAdmitted(item))).toEqual([true, false, false, false]);
    expect([admission.has(2), admission.has(3), admission.admits(2), admission.offer(2, yes)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(asked).toEqual([2, 3, 3]);
    admission.admits(4);
    admission.offer(6, yes);
    expect([admission.offerAdmitted(4), admission.offerAdmitted(6)]).toEqual([true, false]);
    const offered: number[] = [];
    admission.forEachOffered((item) => offered.push(item));
    expect(offered.sort()).toEqual([2, 4, 6]);
  });

  test('does not treat an offered item as admitted', () => {
    const { admission } = evenOnes();
    for (const item of [1, 2]) expect(admission.offer(item, yes)).toBe(true);
    expect([admission.has(1), admission.has(2)]).toEqual([false, false]);
    expect([admission.admits(1), admission.admits(2)]).toEqual([false, true]);
    expect([admission.has(1), admission.has(2)]).toEqual([false, true]);
    for (const item of [1, 2]) expect(admission.offer(item, yes)).toBe(false);
  });

  test('tests items again only if they did not pass', () => {
    const { admission, asked } = evenOnes();
    for (const item of [2, 2, 3, 3, 2, 4]) admission.admits(item);
    admission.offer(2, no);
    expect(admission.admits(2)).toBe(true);
    expect(asked).toEqual([2, 3, 3, 4]);
  });

  test('gives the same results as two sets, in any order of calls', () => {
    const step = fc.record({
      item: fc.nat(9),
      act: fc.constantFrom('admit', 'offer', 'offer admitted', 'look'),
      passes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { admission } = evenOnes();
        const admitted = new Set<number>();
        const offered = new Set<number>();
        for (const { item, act, passes } of steps) {
          if (act === 'admit') {
            expect(admission.admits(item)).toBe(item % 2 === 0);
            if (item % 2 === 0) admitted.add(item);
          } else if (act === 'offer') {
            const is_candidate = !offered.has(item) && (admitted.has(item) || passes);
            expect(admission.offer(item, () => passes)).toBe(is_candidate);
            if (is_candidate) offered.add(item);
          } else if (act === 'offer admitted') {
            const is_candidate = !offered.has(item) && item % 2 === 0;
            expect(admission.offerAdmitted(item)).toBe(is_candidate);
            if (!is_candidate) continue;
            offered.add(item);
            admitted.add(item);
          }
          expect(admission.has(item)).toBe(admitted.has(item));
        }
      }),
    );
  });
});
