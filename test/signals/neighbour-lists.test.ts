import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { inversePowers } from '../../src/signals/inverse-powers.ts';
import { LIST_LENGTH, NeighbourLists } from '../../src/signals/neighbour-lists.ts';
import { InteractionLog } from '../../src/state/interaction-log.ts';
import { check } from '../support/long.ts';
import { weightsOf } from '../support/scene.ts';

/** A log in which the items have the given numbers of users. */
function degrees(of_items: readonly number[]): InteractionLog {
  const log = new InteractionLog();
  for (const [item, degree] of of_items.entries()) {
    for (let user = 0; user < degree; user++) log.add(item, user, 1, 1, false, false);
  }
  return log;
}

function listsOf(of_items: readonly number[]): NeighbourLists {
  return new NeighbourLists(degrees(of_items), (one, other) => one - other);
}

function reached(weights: Iterable<readonly [item: number, weight: number]>): Accumulator {
  const sums = new Accumulator();
  for (const [item, weight] of weights) sums.add(item, weight);
  return sums;
}

function listed(lists: NeighbourLists, slot: number, limit = LIST_LENGTH, scale = 1): [number, number][] {
  const into = new Accumulator();
  lists.add(slot, limit, scale, into);
  return [...weightsOf(into)];
}

describe('neighbour lists', () => {
  test('neighbour lists hold the strongest entries, strongest first, as a sort would', () => {
    const sums = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 300, size: 'max' });
    check(25, [sums], (drawn) => {
      const degree = (item: number) => 1 + ((item * 7) % 13);
      const lists = listsOf(drawn.map((_, item) => degree(item)));
      lists.fill(0, reached(drawn.map((sum, item) => [item, sum / 10] as const)));
      const keys = drawn.map((sum, item) => (sum / 10) * (degree(item) + 10) ** -0.13);
      const found = listed(lists, 0);
      expect(found).toHaveLength(Math.min(LIST_LENGTH, drawn.length));
      const found_keys = found.map(([item]) => keys[item]);
      expect(found_keys).toEqual(keys.toSorted((one, other) => other - one).slice(0, LIST_LENGTH));
      for (const [item, weight] of found) {
        expect(weight).toBe(
          Math.fround(
            (drawn[item] / 10) ** 1.125 * inversePowers({ power: 0.26, smoothing: 10 })(degree(item)),
          ),
        );
      }
    });
  });

  test('neighbour lists add their first neighbours scaled, and their sum', () => {
    const lists = listsOf([1, 1, 1]);
    lists.fill(
      3,
      reached([
        [0, 1],
        [1, 4],
        [2, 2],
      ]),
    );
    expect(listed(lists, 3).map(([item]) => item)).toEqual([1, 2, 0]);
    expect(listed(lists, 3, 2, 10)).toEqual(
      listed(lists, 3)
        .slice(0, 2)
        .map(([item, weight]) => [item, 10 * weight]),
    );
  });

  test('neighbour lists share a weight in proportion among the reached neighbours', () => {
    const lists = listsOf([1, 1, 1]);
    const weights: [number, number][] = [
      [0, 1],
      [1, 4],
      [2, 2],
    ];
    lists.fill(3, reached(weights));
    const ends = reached([
      [2, 9],
      [7, 9],
      [1, 9],
    ]);
    const amounts = new Float64Array(ends.entries.end);
    lists.share(3, 10, ends, amounts);
    const total = listed(lists, 3).reduce((sum, [, weight]) => sum + weight, 0);
    const shares = new Map(listed(lists, 3).map(([item, weight]) => [item, (10 * weight) / total]));
    const { ordinals, start, end } = ends.entries;
    for (let place = start; place < end; place++) {
      expect(amounts[place]).toBeCloseTo(shares.get(ordinals[place]) ?? 0, 6);
    }
  });

  test('neighbour lists keep their shares after a reweighing, which defines their new order', () => {
    const lists = listsOf([1, 1, 1]);
    const [weights, others] = [
      [1, 4, 2],
      [3, 1, 2],
    ].map((each) => reached(each.map((weight, item) => [item, weight] as const)));
    const shares = () => {
      const amounts = new Float64Array(weights.entries.end);
      lists.share(0, 10, weights, amounts);
      return [...amounts];
    };
    lists.fill(0, weights);
    const before = shares();
    lists.reweigh(0, others);
    expect(listed(lists, 0)).toEqual([
      [0, 3],
      [2, 2],
      [1, 1],
    ]);
    expect(shares()).toEqual(before);
  });

  test('neighbour lists share all of a weight among the remaining neighbours after some are removed', () => {
    const lists = listsOf([1, 1, 1]);
    const all = reached([
      [0, 1],
      [1, 4],
      [2, 2],
    ]);
    lists.fill(0, all);
    lists.forget(0, (item) => item === 1);
    const amounts = new Float64Array(all.entries.end);
    lists.share(0, 10, all, amounts);
    const { ordinals, start, end } = all.entries;
    const of_item = new Map(
      Array.from(ordinals.slice(start, end), (item, at) => [item, amounts[start + at]] as const),
    );
    expect(of_item.get(1)).toBe(0);
    expect(of_item.get(0)! + of_item.get(2)!).toBeCloseTo(10, 5);
    expect(of_item.get(2)! / of_item.get(0)!).toBeCloseTo(2 ** 1.125, 5);
  });

  test('neighbour lists are separate in any number, and are replaced completely', () => {
    const lists = listsOf(new Array(3000).fill(1));
    for (let slot = 0; slot < 1500; slot++) {
      lists.fill(
        slot,
        reached([
          [slot, 1],
          [slot + 1500, 2],
        ]),
      );
    }
    for (const slot of [0, 700, 1499])
      expect(listed(lists, slot).map(([item]) => item)).toEqual([slot + 1500, slot]);
    lists.fill(700, reached([[5, 1]]));
    expect(listed(lists, 700).map(([item]) => item)).toEqual([5]);
    lists.fill(700, reached([]));
    expect(listed(lists, 700)).toEqual([]);
    expect(listed(lists, 701)).toHaveLength(2);
  });
});

test('inverse powers are correct for every degree, tabulated or not', () => {
  const power = inversePowers({ power: 0.3, smoothing: 2 });
  for (const degree of [1, 2, 4095, 4096, 4097, 1e6]) expect(power(degree)).toBe((degree + 2) ** -0.3);
});
