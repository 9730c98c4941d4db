import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { compareCredit } from '../../../src/experiments/statistics/credit.ts';
import { teamDraft } from '../../../src/page/team-draft.ts';
import { decidedWithin, Readers } from './readers.ts';

/** Viewers who each act once, on an item of one team. */
const once = (viewers: number, sum: number) => ({ viewers, sum, sum_squares: sum });

describe('the credit of interleaved variants', () => {
  test('is compared as a share of both, and turned around has the other sign', () => {
    const forward = compareCredit(once(1_000, 300), once(1_000, 500), 0);
    expect(forward).toMatchObject({ lift: 0.25, decided: true });
    expect(forward.ci_low).toBeGreaterThan(0);
    const backward = compareCredit(once(1_000, 500), once(1_000, 300), 0);
    expect(backward.lift).toBe(-0.25);
    expect(backward.p_value_sequential).toBeCloseTo(forward.p_value_sequential ?? 0, 12);
    expect(backward.ci_high).toBeCloseTo(-(forward.ci_low ?? 0), 12);
  });

  test('is decided if one team gets all of very many acts', () => {
    const all = compareCredit(once(1_000, 0), once(1_000, 400), 0);
    expect(all).toMatchObject({ lift: 1, ci_high: 1, decided: true });
    expect(all.ci_low).toBeGreaterThan(0.5);
    expect(compareCredit(once(1_000, 400), once(1_000, 0), 0)).toMatchObject({
      lift: -1,
      ci_low: -1,
      decided: true,
    });
    expect(compareCredit(once(1_000, 0), once(1_000, 30), 0).decided).toBe(false);
  });

  test.each<[string, Parameters<typeof compareCredit>, number | null]>([
    ['no viewers', [once(0, 0), once(0, 0), 0], null],
    ['nothing done', [once(500, 0), once(500, 0), 0], null],
    ['too few viewers', [once(99, 10), once(99, 80), 0], 70 / 90],
    ['too few acts', [once(500, 2), once(500, 20), 0], 18 / 22],
    [
      'one viewer who does it all',
      [{ viewers: 500, sum: 20, sum_squares: 400 }, { viewers: 500, sum: 400, sum_squares: 160_000 }, 8_000],
      380 / 420,
    ],
    ['viewers who act on both teams alike', [once(500, 500), once(500, 500), 500], 0],
  ])('is not decided with %s', (_, sums, lift) => {
    const { lift: found, ...rest } = compareCredit(...sums);
    expect(found).toBe(lift);
    expect(rest).toEqual({ ci_low: null, ci_high: null, p_value_sequential: null, decided: false });
  });
});

describe('simulated interleaving, looked at daily', () => {
  test('decides without a difference in at most 5 % of 1,000', () => {
    const count = 1_000;
    let decided = 0;
    for (let seed = 1; seed <= count; seed++)
      if (decidedWithin(28, 10, new Readers(seededRandom(seed), 0, 'interleaving')) !== undefined) decided++;
    expect(decided / count).toBeLessThanOrEqual(0.05);
  });

  test('finds a planted lift of 20 % with a tenth of the viewers with which a split misses it', () => {
    const [days, viewers] = [14, 2_800];
    const count = 40;
    const shareFound = (method: 'split' | 'interleaving', all: number): number => {
      const found = Array.from({ length: count }, (_, seed) =>
        decidedWithin(days, all / days, new Readers(seededRandom(seed + 1), 0.2, method)),
      );
      for (const compared of found) if (compared !== undefined) expect(compared.lift).toBeGreaterThan(0);
      return found.filter((compared) => compared !== undefined).length / count;
    };
    expect(shareFound('split', viewers)).toBeLessThan(0.8);
    expect(shareFound('interleaving', viewers / 10)).toBeGreaterThanOrEqual(0.8);
  });
});

describe('a team draft', () => {
  const items = (...ordinals: number[]) => ordinals.map((item) => ({ item }));

  test('has every item of both lists once, and as many of each team in each round', () => {
    const random = seededRandom(5);
    for (let run = 0; run < 200; run++) {
      const drawn = () => Array.from({ length: 12 }, () => Math.floor(random() * 20));
      const lists = [items(...new Set(drawn())), items(...new Set(drawn()))] as const;
      const drafted = teamDraft(lists, random);
      const ordinals = drafted.map(({ item: { item } }) => item);
      expect(ordinals.toSorted()).toEqual([...new Set(lists.flat().map(({ item }) => item))].toSorted());
      const teams = drafted.map(({ team }) => team);
      const end = teams.includes(undefined) ? teams.indexOf(undefined) : teams.length;
      expect(teams.slice(end).every((team) => team === undefined)).toBe(true);
      for (let at = 0; at + 1 < end; at += 2) expect(teams[at]).not.toBe(teams[at + 1]);
      for (const team of [0, 1] as const) {
        const places = drafted.flatMap(({ item, team: of }) =>
          of === team ? [lists[team].findIndex((one) => one.item === item.item)] : [],
        );
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }
    }
  });

  test('of equal lists gives every item to either team equally often', () => {
    const random = seededRandom(9);
    const list = items(1, 2, 3, 4);
    const firsts = [0, 0, 0, 0];
    for (let run = 0; run < 4_000; run++)
      for (const [at, { team }] of teamDraft([list, list], random).entries()) if (team === 0) firsts[at]++;
    for (const count of firsts) expect(Math.abs(count - 2_000)).toBeLessThan(150);
  });
});
