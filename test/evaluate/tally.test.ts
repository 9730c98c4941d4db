import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Tally } from '../../src/evaluate/tally.ts';
import { NONE } from '../../src/model/key.ts';
import { check } from '../support/long.ts';
import { actsCsv, countsCsv, type PlantedAct, START, timelineOf } from './support.ts';

const acts: [PlantedAct, number][] = [
  [['u', 'a', 10], 1],
  [['v', 'a', 20], 1],
  [['u', 'a', 30, 'like', 'remove'], -1],
  [['v', 'b', 30, 'hide'], 0],
  [['w', 'b', 40, 'view'], 1],
  [['w', 'a', 50, 'report'], 0],
  [['u', 'b', 33], 1],
  [['v', 'b', 35], 1],
  [['u', 'b', 36], 1],
  [['w', 'b', 37], 1],
  [['w', 'b', 38], 1],
  [['v', 'b', 39, 'like', 'remove'], -1],
  [['w', 'b', 41, 'share'], 1],
  [['w', 'b', 43, 'like', 'remove'], -1],
  [['x', 'b', 46], 1],
];
const counts: [string, number, number][] = [
  ['b', 35, 100],
  ['b', 45, 90],
];

/** Users whose latest act on an item after `since` is a like. */
function likersBetween(item: string, since: number, until: number): number {
  const said = acts
    .map(([act]) => act)
    .filter(([, of, at, type = 'like']) => of === item && type === 'like' && at > since && at <= until)
    .sort(([, , one], [, , other]) => one - other);
  const stands = new Map(said.map(([user, , , , action = 'add']) => [user, action === 'add']));
  return stands.values().reduce((sum, like) => sum + (like ? 1 : 0), 0);
}

async function tallied() {
  const timeline = await timelineOf({
    'interactions.csv': actsCsv(acts.map(([act]) => act)),
    'engagement.csv': countsCsv(counts),
  });
  return { timeline, tally: new Tally(timeline) };
}

describe('a tally', () => {
  test('a tally counts acts up to each moment, without hides and removed acts', async () => {
    const { timeline } = await tallied();
    const moments = fc
      .array(fc.nat(60), { minLength: 1 })
      .map((all) => all.sort((one, other) => one - other));
    check(100, [moments], (all) => {
      const tally = new Tally(timeline);
      for (const after of all) {
        tally.advance(timeline.at(START + after));
        for (const id of ['a', 'b']) {
          const item = timeline.items.add(id);
          const done = acts.filter(([[, of, at]]) => of === id && at <= after);
          const own = done.reduce((sum, [, delta]) => sum + delta, 0);
          const counted = counts.filter(([of, at]) => of === id && at <= after).at(-1);
          expect(tally.interactions(item)).toBe(own);
          expect(tally.counted(item)).toBe(counted !== undefined);
          expect(tally.likes_counted(item)).toBe(counted?.[2] ?? NONE);
          expect(tally.points(item)).toBe(
            counted === undefined ? own : counted[2] + likersBetween(id, counted[1], after),
          );
        }
      }
    });
  });

  test('a tally can stop before an act of the same moment', async () => {
    const { timeline, tally } = await tallied();
    tally.advance(timeline.before(2));
    expect(tally.interactions(timeline.items.add('a'))).toBe(2);
    tally.advance(timeline.at(START + 30));
    expect(tally.interactions(timeline.items.add('a'))).toBe(1);
  });
});
