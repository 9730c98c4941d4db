import { describe, expect, test } from 'bun:test';
import { Exposures } from '../../src/state/exposures.ts';
import { VariantViewers } from '../../src/state/variant-viewers.ts';

const ARM = 1;
const QUADRATIC_MS = 5_000;

function viewersOf(count: number): VariantViewers {
  const viewers = new VariantViewers(7);
  for (let user = 0; user < count; user++) viewers.findOrAdd(ARM, user);
  return viewers;
}

describe('the viewers of running experiments', () => {
  test(
    'the hash table grows in linear time after many viewers were erased',
    () => {
      const count = 2 ** 18;
      const viewers = viewersOf(count);
      for (let user = 0; user < count / 2 - 1; user++) viewers.erase(ARM, user);
      viewers.findOrAdd(ARM, count);
      expect(viewers.usersOf(ARM)).toHaveLength(count / 2 + 2);
      expect(viewers.get(ARM, count)?.user).toBe(count);
    },
    QUADRATIC_MS,
  );

  test('erased viewers make room for new ones, and the others keep their counts', () => {
    const viewers = viewersOf(100);
    viewers.countAct(viewers.find(ARM, 99), 3);
    expect([viewers.size, viewers.countOf(ARM)]).toEqual([100, 100]);
    for (let user = 0; user < 60; user++) viewers.erase(ARM, user);
    expect(viewers.size).toBeLessThan(100);
    expect(viewers.countOf(ARM)).toBe(40);
    for (let user = 200; user < 240; user++) viewers.countPage(viewers.findOrAdd(ARM, user), 1, false, 0);
    expect(viewers.usersOf(ARM).sort((one, other) => one - other)).toEqual([
      ...Array.from({ length: 40 }, (_, at) => 60 + at),
      ...Array.from({ length: 40 }, (_, at) => 200 + at),
    ]);
    expect(viewers.get(ARM, 99)?.acts[3]).toBe(1);
    expect(viewers.get(ARM, 0)).toBeUndefined();
  });

  test('all rows of a viewer are found together, and only open arms remain', () => {
    const viewers = viewersOf(1_000);
    for (const arm of [2, 3, 4]) for (let user = 0; user < 1_000; user += arm) viewers.findOrAdd(arm, user);
    const armsOf = (user: number) =>
      viewers
        .rowsOf(user)
        .map((row) => viewers.armOf(row))
        .sort();
    expect([12, 4, 3, 1].map(armsOf)).toEqual([[1, 2, 3, 4], [1, 2, 4], [1, 3], [1]]);
    viewers.keepArms((arm) => arm > 2);
    viewers.erase(3, 12);
    expect([1, 2, 3, 4].map((arm) => viewers.countOf(arm))).toEqual([0, 0, 333, 250]);
    expect([12, 4, 3, 1].map(armsOf)).toEqual([[4], [4], [3], []]);
  });

  test('only the latest 5,000 shown items of a viewer are looked through for an act', () => {
    const exposures = new Exposures(2 ** 15);
    let latest = -1;
    for (let item = 0; item < 5_001; item++) latest = exposures.add('one', item, 1_000, latest);
    expect(exposures.lastBefore('one', latest, 1, 1_000)).toBe(1_000);
    expect(exposures.lastBefore('one', latest, 0, 1_000)).toBeUndefined();
  });
});
