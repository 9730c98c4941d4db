import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findTargets, sampled } from '../../src/evaluate/targets.ts';
import type { EventType } from '../../src/state/change.ts';
import { actsCsv, type PlantedAct, timelineOf } from './support.ts';

async function asked(acts: PlantedAct[], events: EventType[], from = 0) {
  const timeline = await timelineOf({ 'interactions.csv': actsCsv(acts) });
  const targets = findTargets(timeline.acts, new Set(events), from);
  const left_out = acts.keys().filter((act) => targets.leavesOut(act));
  return { acts: targets.acts, left_out: [...left_out] };
}

describe('a replay asks about', () => {
  const three: PlantedAct[] = [
    ['u', 'a', 0],
    ['u', 'b', 1],
    ['u', 'c', 2],
  ];

  test('users who have done two things before', async () => {
    expect((await asked([...three, ['v', 'c', 3]], ['like'])).acts).toEqual([2]);
  });

  test('nothing before its start, which acts before it lead up to', async () => {
    expect((await asked([...three, ['u', 'd', 3]], ['like'], 3)).acts).toEqual([3]);
  });

  test('the first act of a user on an item only', async () => {
    const again: PlantedAct[] = [
      ['u', 'c', 3, 'share'],
      ['u', 'a', 4, 'comment'],
    ];
    expect((await asked([...three, ...again], ['like', 'share', 'comment'])).acts).toEqual([2]);
  });

  test('the given events, and nothing that was taken back or turned away from', async () => {
    const others: PlantedAct[] = [
      ['u', 'd', 3, 'share'],
      ['u', 'e', 4, 'hide'],
      ['u', 'f', 5, 'like', 'remove'],
    ];
    expect((await asked([...three, ...others], ['share'])).acts).toEqual([3]);
  });

  test('what was viewed, leaving the view out, as nothing viewed is shown again', async () => {
    const viewed: PlantedAct[] = [
      ['u', 'd', 3, 'view'],
      ['u', 'd', 4, 'like'],
      ['u', 'e', 5, 'view'],
    ];
    expect(await asked([...three, ...viewed], ['like'])).toEqual({ acts: [2, 4], left_out: [3] });
    expect(await asked([...three, ...viewed], ['view', 'like'])).toEqual({ acts: [2, 3, 5], left_out: [] });
  });
});

describe('a sample', () => {
  test('has so many, in their order, the same for a seed', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(70), fc.nat(), (length, count, seed) => {
        const all = Array.from({ length }, (_, index) => index);
        const chosen = sampled(all, count, seed);
        expect(chosen.length).toBe(Math.min(length, count));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen).toEqual([...chosen].sort((one, other) => one - other));
        expect(sampled(all, count, seed)).toEqual(chosen);
      }),
    );
  });

  test('is everything when no number is given', () => {
    expect(sampled([3, 4], undefined, 1)).toEqual([3, 4]);
  });

  test('takes each as often as any other', () => {
    const all = Array.from({ length: 10 }, (_, index) => index);
    const times = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 4000; seed++) for (const one of sampled(all, 3, seed)) times[one]++;
    for (const count of times) expect(Math.abs(count - 1200)).toBeLessThan(120);
  });
});
