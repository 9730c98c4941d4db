import { describe, expect, test } from 'bun:test';
import { DAY_SECONDS } from '../../../src/clock.ts';
import { examination, ReaderModel, type Reading, userId } from '../../../workloads/readers/reader-model.ts';

const START = 1_767_225_600;
const OPTIONS = {
  ...{ seed: 3, readers: 200, first_items: 400, items_per_day: 40 },
  ...{ start: START, days: 10, former_acts: 5 },
};

/** Pages of ten items that were not shown before, in the order that `orders` gives them. */
function pages(model: ReaderModel, orders: (reader: number, item: ReaderModel['items'][number]) => number) {
  const readings: (Reading & { best: number })[] = [];
  for (let reader = 0; reader < OPTIONS.readers; reader++) {
    const known = model.items.filter(({ created_at }) => created_at <= START);
    const ordered = known.toSorted((one, other) => orders(reader, other) - orders(reader, one));
    const page = ordered.slice(0, 10).map(({ item_id }) => item_id);
    readings.push({ best: model.best(reader, 10, START), ...model.read(reader, page, START) });
  }
  const sum = (of: (reading: (typeof readings)[number]) => number) =>
    readings.reduce((total, reading) => total + of(reading), 0);
  return {
    readings,
    best: sum(({ best }) => best),
    expected: sum(({ expected }) => expected),
    approvals: sum(({ acts }) => acts.filter(({ event_type }) => event_type !== 'hide').length),
  };
}

const byChance = (model: ReaderModel) => (reader: number, item: ReaderModel['items'][number]) =>
  model.chance(reader, item, START);

describe('the made-up readers', () => {
  test('do the same at every run, and something else with another seed', () => {
    const run = (seed: number) => {
      const model = new ReaderModel({ ...OPTIONS, seed });
      return { former: [...model.formerActs()], ...pages(model, byChance(model)) };
    };
    expect(run(3)).toEqual(run(3));
    expect(run(4)).not.toEqual(run(3));
  });

  test('act as often as the model expects, within four standard deviations', () => {
    const model = new ReaderModel(OPTIONS);
    const { approvals, expected } = pages(model, byChance(model));
    expect(Math.abs(approvals - expected)).toBeLessThan(4 * Math.sqrt(expected));
  });

  test('act more on the best page than on one in the order of time, and on no page more than on the best', () => {
    const model = new ReaderModel(OPTIONS);
    const newest = pages(model, (_, { created_at }) => created_at);
    expect(newest.expected).toBeLessThan(0.5 * newest.best);
    const other = new ReaderModel(OPTIONS);
    const best = pages(other, byChance(other));
    expect(best.expected).toBeLessThanOrEqual(best.best);
    expect(best.expected).toBeGreaterThan(0.85 * best.best);
  });

  test('look at the upper slots more often, so an item gets more acts there', () => {
    for (let slot = 1; slot < 20; slot++) expect(examination(slot + 1)).toBeLessThan(examination(slot));
    const actsOnFirst = (order: number) => {
      const { readings } = pages(new ReaderModel(OPTIONS), (_, { number }) =>
        number < 10 ? order * number : -99,
      );
      return readings.flatMap(({ acts }) => acts.filter(({ item_id }) => item_id === 'item-0')).length;
    };
    expect(actsOnFirst(-1)).toBeGreaterThan(2 * actsOnFirst(1));
  });

  test('tire of an author whom they see without acting, and recover within days', () => {
    const model = new ReaderModel(OPTIONS);
    const [first] = model.items;
    const before = model.chance(0, first, START);
    const same = model.items.filter(
      ({ author, created_at }) => author === first.author && created_at <= START,
    );
    const { acts } = model.read(
      1,
      same.map(({ item_id }) => item_id),
      START,
    );
    expect(acts.every(({ user_id }) => user_id === userId(1))).toBe(true);
    expect(model.chance(0, first, START)).toBe(before);
    const tired = new ReaderModel(OPTIONS);
    for (const { item_id } of same) tired.read(0, [item_id], START);
    expect(tired.chance(0, first, START)).toBeLessThan(0.9 * before);
    const later = START + 20 * DAY_SECONDS;
    const fresh = new ReaderModel(OPTIONS).chance(0, first, later);
    expect(tired.chance(0, first, later) / fresh).toBeCloseTo(1, 3);
  });

  test('change a part of their taste with time', () => {
    const model = new ReaderModel({ ...OPTIONS, first_items: 400 });
    const changes = model.items.slice(0, 50).map((item) => {
      const later = START + 4 * DAY_SECONDS;
      const aged = { ...item, created_at: item.created_at + 4 * DAY_SECONDS };
      return Math.abs(model.chance(0, item, START) - model.chance(0, aged, later));
    });
    expect(changes.some((change) => change > 0.01)).toBe(true);
    expect(changes.some((change) => change < 1e-9)).toBe(true);
  });

  test('publish each item once, at its time', () => {
    const model = new ReaderModel(OPTIONS);
    const all = [...model.published(0, START + 10 * DAY_SECONDS)];
    const parts = [0, 3, 7].flatMap((day, at) => [
      ...model.published(at === 0 ? 0 : START + day * DAY_SECONDS, START + [3, 7, 10][at] * DAY_SECONDS),
    ]);
    expect(parts).toEqual(all);
    expect(all).toHaveLength(800);
    expect(all.filter(({ created_at }) => created_at <= START)).toHaveLength(400);
  });
});
