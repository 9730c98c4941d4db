import { describe, expect, test } from 'bun:test';
import { type Lane, Lanes } from '../../src/store/lanes.ts';
import { follow } from './changes.ts';

/** Lanes with submissions of so many changes; `take` tells the sizes of what it takes. */
function lanesOf(sizes: Partial<Record<Lane, number[]>>): { lanes: Lanes; take(rows_max: number): number[] } {
  const lanes = new Lanes();
  for (const lane of ['bulk', 'express'] as const) {
    for (const size of sizes[lane] ?? []) {
      const changes = Array.from({ length: size }, () => follow(1, 2));
      lanes.add(lane, { changes, records: size, resolve() {}, reject() {} });
    }
  }
  return { lanes, take: (rows_max) => lanes.take(rows_max).map(({ changes }) => changes.length) };
}

describe('lanes', () => {
  test('give whole submissions in order up to the maximum', () => {
    const { lanes, take } = lanesOf({ bulk: [500, 500, 500, 600, 400] });
    expect(take(2_000)).toEqual([500, 500, 500]);
    expect(take(2_000)).toEqual([600, 400]);
    expect(lanes.empty).toBe(true);
    expect(take(2_000)).toEqual([]);
  });

  test('give a submission above the maximum alone', () => {
    const { take } = lanesOf({ bulk: [500, 2_500, 500] });
    expect([take(2_000), take(2_000), take(2_000)]).toEqual([[500], [2_500], [500]]);
  });

  test('give express before bulk', () => {
    const { take } = lanesOf({ express: [1, 2], bulk: [5, 6] });
    expect(take(8)).toEqual([1, 2, 5]);
    expect(take(8)).toEqual([6]);
  });

  test('keep bulk back while express waits, however little it is', () => {
    const { take } = lanesOf({ express: [5, 5], bulk: [1] });
    expect(take(6)).toEqual([5]);
    expect(take(6)).toEqual([5, 1]);
  });

  test('give everything at once when it is refused', () => {
    const { lanes } = lanesOf({ express: [1], bulk: [2, 3] });
    expect(lanes.takeAll().map(({ changes }) => changes.length)).toEqual([1, 2, 3]);
    expect(lanes.empty).toBe(true);
  });
});
