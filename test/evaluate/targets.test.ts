import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findTargets, sampled, withholdViews } from '../../src/evaluate/targets.ts';
import type { EventType } from '../../src/model/acts.ts';
import { check } from '../support/long.ts';
import { actsCsv, type PlantedAct, START, timelineOf } from './support.ts';

/** The acts to predict, as `user item after`, and the withheld acts. */
async function asked(planted: PlantedAct[], events: EventType[], from = 0) {
  const timeline = await timelineOf({ 'interactions.csv': actsCsv(planted) });
  const { acts, users, items } = timeline;
  const name = (act: number) =>
    `${users.id(acts.user[act])} ${items.id(acts.item[act])} ${acts.time[act] - START}`;
  const all = Array.from({ length: acts.length }, (_, act) => name(act));
  const first = withholdViews(timeline, new Set(events), from);
  const left = new Set(Array.from({ length: acts.length }, (_, act) => name(act)));
  const targets = findTargets(acts, new Set(events), first).map(name);
  return { acts: targets, left_out: all.filter((act) => !left.has(act)) };
}

describe('a replay asks about', () => {
  const three: PlantedAct[] = [
    ['u', 'a', 0],
    ['u', 'b', 1],
    ['u', 'c', 2],
  ];

  test('a replay predicts for users with two earlier interactions', async () => {
    expect((await asked([...three, ['v', 'c', 3]], ['like'])).acts).toEqual(['u c 2']);
  });

  test('a replay predicts for users whose earlier interactions are with one item', async () => {
    const shared: PlantedAct[] = [
      ['u', 'a', 0],
      ['u', 'a', 1, 'share'],
      ['u', 'b', 2],
    ];
    expect((await asked(shared, ['like'])).acts).toEqual(['u b 2']);
  });

  test('a replay skips users whose earlier interactions were hides, removed or left out', async () => {
    const turned_away: PlantedAct[] = [
      ['u', 'a', 0],
      ['u', 'a', 1, 'like', 'remove'],
      ['u', 'c', 2, 'hide'],
      ['u', 'd', 3, 'report'],
      ['u', 'b', 4],
    ];
    expect((await asked(turned_away, ['like'])).acts).toEqual([]);
    const viewed: PlantedAct[] = [
      ['u', 'a', 0, 'view'],
      ['u', 'b', 1, 'view'],
      ['u', 'a', 2],
      ['u', 'b', 3],
    ];
    expect((await asked(viewed, ['like'])).acts).toEqual([]);
  });

  test('a replay predicts nothing before its start, but uses earlier acts', async () => {
    expect((await asked([...three, ['u', 'd', 3]], ['like'], 3)).acts).toEqual(['u d 3']);
  });

  test('a replay predicts the same act if something before it is left out', async () => {
    const viewed: PlantedAct[] = [['u', 'b', 0.5, 'view'], ...three, ['u', 'd', 3]];
    expect((await asked(viewed, ['like'], 4)).acts).toEqual(['u d 3']);
  });

  test('a replay predicts only the first act of a user on an item', async () => {
    const again: PlantedAct[] = [
      ['u', 'c', 3, 'share'],
      ['u', 'a', 4, 'comment'],
    ];
    expect((await asked([...three, ...again], ['like', 'share', 'comment'])).acts).toEqual(['u c 2']);
  });

  test('a replay predicts the given types, and no removed acts, hides or reports', async () => {
    const others: PlantedAct[] = [
      ['u', 'd', 3, 'share'],
      ['u', 'e', 4, 'hide'],
      ['u', 'f', 5, 'like', 'remove'],
    ];
    expect((await asked([...three, ...others], ['share'])).acts).toEqual(['u d 3']);
  });

  test('a replay withholds views of the items to predict, because viewed items are not shown again', async () => {
    const viewed: PlantedAct[] = [
      ['u', 'd', 3, 'view'],
      ['u', 'd', 4, 'like'],
      ['u', 'e', 5, 'view'],
    ];
    expect(await asked([...three, ...viewed], ['like'])).toEqual({
      acts: ['u c 2', 'u d 4'],
      left_out: ['u d 3'],
    });
    expect(await asked([...three, ...viewed], ['view', 'like'])).toEqual({
      acts: ['u c 2', 'u d 3', 'u e 5'],
      left_out: [],
    });
  });
});

describe('a sample', () => {
  test('a sample has the given size, keeps the order, and is the same for a seed', () => {
    check(100, [fc.nat(60), fc.nat(70), fc.nat()], (length, count, seed) => {
      const all = Array.from({ length }, (_, index) => index);
      const chosen = sampled(all, count, seed);
      expect(chosen.length).toBe(Math.min(length, count));
      expect(new Set(chosen).size).toBe(chosen.length);
      expect(chosen).toEqual([...chosen].sort((one, other) => one - other));
      expect(sampled(all, count, seed)).toEqual(chosen);
    });
  });

  test('a sample without a size is everything', () => {
    expect(sampled([3, 4], undefined, 1)).toEqual([3, 4]);
  });

  test('a sample contains each element equally often', () => {
    const all = Array.from({ length: 10 }, (_, index) => index);
    const times = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 4000; seed++) for (const one of sampled(all, 3, seed)) times[one]++;
    for (const count of times) expect(Math.abs(count - 1200)).toBeLessThan(120);
  });
});
