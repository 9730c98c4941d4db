import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Walk } from '../../src/signals/walk.ts';
import { WalkSteps } from '../../src/signals/walk-steps.ts';
import { State } from '../../src/state/state.ts';
import { WALLETS } from '../../src/state/vocabulary.ts';
import { check } from '../support/long.ts';
import { DAY, HOUR, itemIds, NOW, Scene, weightsOf } from '../support/scene.ts';
import { naiveSpread } from './walk-reference.ts';

/** Possible crowding of an item's fans: users with many acts, and users who only view. */

const OPTIONS = { history: 60, half_life_hours: 24 };

/** The number of acts on an item that are read. */
const READ = 1200;

const WAYS: [string, boolean][] = [
  ['with exact lists', true],
  ['with lists that may lag', false],
];

/** The items that a viewer who likes `hit` reaches, by identifier. */
function reached(scene: Scene, exact: boolean): Record<string, number> {
  const { state } = scene.act('viewer', scene.state.vocabulary.names.includes('buy') ? 'buy' : 'like', 'hit');
  const into = new Accumulator();
  new Walk(state, exact).reach(state.users.names.find('viewer'), OPTIONS, into);
  const { names } = state.items;
  return Object.fromEntries([...weightsOf(into)].map(([item, weight]) => [names.id(item), weight]));
}

/** Forty fans of `hit` and of three more items, a day ago. */
function liked(): Scene {
  const scene = new Scene();
  scene.now = NOW - 2 * DAY;
  for (let fan = 0; fan < 40; fan++) {
    for (const item of ['hit', 'jazz 1', 'jazz 2', 'jazz 3']) scene.act(`fan ${fan}`, 'like', item);
    scene.now += 60;
  }
  scene.now = NOW - HOUR;
  return scene;
}

describe.each(WAYS)('the walk from an item, %s,', (_, exact) => {
  const reach = (scene: Scene) => reached(scene, exact);

  test('the walk counts a user once who comments on the item all day', () => {
    const [once, often] = [1, READ - 20].map((times) => {
      const scene = liked().act('spammer', 'like', 'advertised');
      for (let time = times; time > 0; time--) scene.act('spammer', 'comment', 'hit', scene.now - time);
      scene.now = NOW;
      return reach(scene);
    });
    expect(Object.keys(often).sort()).toEqual(['advertised', 'jazz 1', 'jazz 2', 'jazz 3']);
    for (const weights of [once, often]) expect(weights.advertised).toBeLessThan(weights['jazz 1']);
  });

  test('the walk counts a like and a comment of the same user each', () => {
    const [both, one] = [true, false].map((comments) => {
      const scene = new Scene().act('fan', 'like', 'hit').act('fan', 'like', 'end');
      if (comments) scene.act('fan', 'comment', 'hit');
      return reach(scene).end;
    });
    // Each further act of the user and of the item lowers the weight of all.
    expect(both / one).toBeGreaterThan(1.3);
  });

  test('the walk counts repeated acts of a user on another item once', () => {
    const scene = new Scene().act('fan', 'like', 'hit').act('fan', 'like', 'quiet');
    for (let time = 8; time > 0; time--) scene.act('fan', 'comment', 'loud', NOW, `${time}`);
    const weights = reach(scene);
    // Neighbours are divided by a power of their degree, which is also mostly comments.
    expect(weights.loud).toBeLessThanOrEqual(weights.quiet);
  });

  test('the walk is not diverted by users who only view', () => {
    const scene = liked();
    for (let user = 0; user < READ - 20; user++) {
      // Each views enough items to fill a list alone.
      for (let at = 0; at < 60; at++) scene.act(`passer-by ${user}`, 'view', `sight ${at}`, scene.now - 10);
      scene.act(`passer-by ${user}`, 'view', 'hit');
    }
    scene.now = NOW;
    const weights = reach(scene);
    expect(weights['jazz 1']).toBeGreaterThan(0);
    const sights = Object.entries(weights).filter(([item]) => item.startsWith('sight'));
    expect(sights.length).toBeGreaterThan(0);
    for (const [, weight] of sights) expect(weight).toBeLessThan(weights['jazz 1']);
  });

  test.each(['swap', 'like', 'view'])('the walk counts a wallet once that repeats %s', (event) => {
    const scene = new Scene(new State({ vocabulary: WALLETS }));
    scene.now = NOW - DAY;
    for (let holder = 0; holder < 20; holder++) {
      for (const token of ['hit', 'held 1', 'held 2']) scene.act(`holder ${holder}`, 'buy', token);
    }
    scene.now = NOW;
    for (let time = 0; time < READ - 20; time++) scene.act('bot', event, 'hit', NOW - 2 * HOUR + time);
    for (const token of ['pushed 1', 'pushed 2']) scene.act('bot', 'buy', token, NOW - HOUR);
    const weights = reach(scene);
    expect(Object.keys(weights).sort()).toEqual(['held 1', 'held 2', 'pushed 1', 'pushed 2']);
    expect(weights['pushed 1']).toBeLessThan(weights['held 1']);
  });
});

interface Drawn {
  wallets: boolean;
  acts: { user: number; item: number; kind: number; ago: number; add: boolean }[];
}

const DRAWN: fc.Arbitrary<Drawn> = fc.record({
  wallets: fc.boolean(),
  acts: fc.array(
    fc.record({
      user: fc.nat(12),
      item: fc.nat(4),
      kind: fc.nat(9),
      ago: fc.nat(30),
      add: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
    }),
    { maxLength: 300, size: 'max' },
  ),
});

function drawn({ wallets, acts }: Drawn): Scene {
  const scene = new Scene(wallets ? new State({ vocabulary: WALLETS }) : new State());
  const { names } = scene.state.vocabulary;
  for (const { user, item, kind, ago, add } of acts) {
    scene[add ? 'act' : 'unact'](`u${user}`, names[kind % names.length], `i${item}`, NOW - ago * HOUR);
  }
  return scene;
}

test('the last two steps of the walk equal their definition with any repeated acts', () => {
  const sizes = fc.constantFrom([150, 100, 6000], [10, 10, 100], [3, 4, 12], [3, 4, 7], [1, 1, 1]);
  check(150, [DRAWN, sizes], (world, [users, items, entries]) => {
    const { state } = drawn(world);
    const steps = new WalkSteps(state);
    for (let item = 0; item < state.items.size; item++) {
      const into = new Accumulator();
      steps.spread(item, users, items, into, entries);
      const expected = naiveSpread(state, item, users, items, entries);
      expect(new Set(weightsOf(into).keys())).toEqual(new Set(expected.keys()));
      for (const [target, weight] of expected) expect(into.weight(target)).toBeCloseTo(weight, 12);
    }
  });
});

test.each(['like', 'view'])('the walk uses the latest users if every user has one %s', (event) => {
  const scene = new Scene();
  for (let user = 0; user < 30; user++) {
    scene.act(`u${user}`, event, 'hit', NOW - user).act(`u${user}`, event, `of ${user}`, NOW - user);
  }
  const into = new Accumulator();
  new WalkSteps(scene.state).spread(scene.state.items.names.find('hit'), 10, 10, into);
  expect(itemIds(scene.state, weightsOf(into).keys())).toEqual(
    Array.from({ length: 10 }, (_, user) => `of ${user}`),
  );
});
