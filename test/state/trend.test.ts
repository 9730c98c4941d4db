import { describe, expect, test } from 'bun:test';
import { ListLearner } from '../../src/learner/list-learner.ts';
import { WINDOWS } from '../../src/state/activity.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { plantedStream } from '../support/planted-stream.ts';
import { fold } from '../support/random-changes.ts';
import { DAY, HOUR, itemOf, NOW, Scene } from '../support/scene.ts';

const LONGEST = WINDOWS[WINDOWS.length - 1];
/** The stored form of the learner: the last of the trend's numbers, starting with the number of lists seen. */
const LEARNER_NUMBERS = new ListLearner(WINDOWS.length + 7, 1, () => 0).numbers().length;

function rates(scene: Scene, ...ids: string[]): number[] {
  return ids.map((id) => scene.state.trend.rate(itemOf(scene, id), scene.now));
}

/** Likes by one new user each, some minutes before `NOW`. All items are twelve hours old. */
function liked(minutes: Record<string, number[]>): Scene {
  const scene = new Scene();
  scene.now = NOW - 12 * HOUR;
  for (const id of Object.keys(minutes)) scene.item(id);
  const likes = Object.entries(minutes).flatMap(([id, ago]) => ago.map((each) => ({ id, ago: each })));
  for (const [index, like] of likes.toSorted((one, other) => other.ago - one.ago).entries()) {
    scene.now = NOW - 60 * like.ago;
    scene.act(`user ${index}`, 'like', like.id);
  }
  scene.now = NOW;
  return scene;
}

/** The chain of windows by its definition: each rate is shrunk towards the rate of the longer window. */
function chain(total: number, age: number, span: number, within: readonly number[]): number {
  let rate = (total + 1) / (age + 7200);
  for (const [index, window] of WINDOWS.entries().toArray().toReversed()) {
    const observed = Math.min(window, span);
    if (observed > window / 2) rate = (within[index] + 8) / (observed + 8 / rate);
  }
  return rate * HOUR;
}

describe('expected rates', () => {
  test('expected rates rank accelerating items before slowing ones at equal totals', () => {
    const faster = [600, 500, 420, 350, 290, 240, 190, 150, 110, 80, 55, 35, 20, 10, 4, 1];
    const scene = liked({ faster, slower: faster.map((ago) => 601 - ago) });
    const [fast, slow] = rates(scene, 'faster', 'slower');
    expect(fast).toBeGreaterThan(2 * slow);
  });

  test('expected rates are the chain of windows before any training', () => {
    const scene = liked({ x: [700, 650, 100, 30, 30, 15, 3, 1] });
    const within = [2, 2, 3, 5, 5, 6, 6, 6, 8];
    expect(rates(scene, 'x')[0]).toBeCloseTo(chain(8, 12 * HOUR, 12 * HOUR, within), 9);
    const young = new Scene().item('y', { created_at: NOW - 500 }).act('one', 'like', 'y');
    // Windows of 20 minutes and more have been observed for less than half their length.
    expect(rates(young, 'y')[0]).toBeCloseTo(chain(1, 500, 500, [1, 1, 0, 0, 0, 0, 0, 0, 0]), 9);
  });

  test('expected rates of items that only a source counts are the chain of windows ending with its last count', () => {
    const scene = new Scene().item('x').item('once');
    scene.now = NOW + 3 * HOUR;
    scene.count('x', 7).count('once', 7);
    scene.now = NOW + 4 * HOUR;
    scene.count('x', 67);
    const within = [5, 10, 20, 40, 60, 0, 0, 0, 0];
    for (const later of [0, 600, LONGEST - 1]) {
      scene.now = NOW + 4 * HOUR + later;
      const expected = chain(67, 4 * HOUR + later, HOUR, within);
      expect(rates(scene, 'x')[0]).toBeCloseTo(expected, 9);
      // A single count covers the whole life of the item.
      if (later < LONGEST - HOUR) expect(rates(scene, 'once')[0]).toBeCloseTo(8 / (6 + later / HOUR), 9);
    }
  });

  test('expected rates of dormant items are the same chain with empty windows', () => {
    const empty = WINDOWS.map(() => 0);
    for (const age of [0, 149, 151, 700, 6 * HOUR, 3 * DAY, 400 * DAY]) {
      const scene = new Scene().item('x', { created_at: NOW - age });
      expect(rates(scene, 'x')[0]).toBeCloseTo(chain(0, age, age, empty), 9);
    }
    for (const ago of [LONGEST, LONGEST + 1, 3 * DAY]) {
      const scene = new Scene().item('x', { created_at: NOW - 5 * DAY });
      for (const user of ['one', 'two']) scene.act(user, 'like', 'x', NOW - ago);
      expect(rates(scene, 'x')[0]).toBeCloseTo(chain(2, 5 * DAY, 5 * DAY, empty), 9);
    }
  });

  test('one user with a hundred comments does not move the rates, nor do three users who do everything', () => {
    const scene = new Scene();
    for (const id of ['one', 'three', 'thirty']) scene.item(id, { created_at: NOW - 2 * HOUR });
    for (let index = 0; index < 100; index++) {
      scene.act('pusher', 'comment', 'one', NOW - 5 * index);
      scene.act(`new ${index % 3}`, 'comment', 'three', NOW - 5 * index);
    }
    for (const event of ['like', 'share', 'comment'] as const) {
      scene.act('pusher', event, 'one');
      for (let index = 0; index < 3; index++) scene.act(`new ${index}`, event, 'three');
    }
    for (let index = 0; index < 30; index++) scene.act(`reader ${index}`, 'like', 'thirty', NOW - 15 * index);
    const [one, three, thirty] = rates(scene, 'one', 'three', 'thirty');
    expect(thirty).toBeGreaterThan(3 * three);
    expect(three).toBeGreaterThan(one);
  });

  test('expected rates treat future items and acts as current', () => {
    const scene = new Scene().item('ahead', { created_at: NOW + 50 }).item('now');
    scene.item('far', { created_at: NOW + 100 * DAY });
    for (const id of ['ahead', 'now', 'far']) scene.act(`to ${id}`, 'like', id, NOW + 100 * DAY);
    const [ahead, now, far] = rates(scene, 'ahead', 'now', 'far');
    expect([ahead, far]).toEqual([now, now]);
    const commented = new Scene();
    for (const id of ['x', 'y', 'z']) commented.item(id, { created_at: NOW - HOUR });
    commented.act('one', 'comment', 'x', NOW + 30).act('one', 'comment', 'y');
    const [x, y, z] = rates(commented, 'x', 'y', 'z');
    expect(x).toBeLessThan(y);
    expect(x).toBeGreaterThan(z);
  });

  test('a client whose clock stands at 1970 does not move the rates', () => {
    const scene = new Scene();
    for (const id of ['x', 'y']) {
      scene.item(id, { created_at: NOW - HOUR });
      for (let user = 0; user < 5; user++) scene.act(`${user}`, 'like', id, NOW - 60 * user);
    }
    for (let user = 5; user < 10; user++) scene.act(`${user}`, 'like', 'y', user);
    const [x, y] = rates(scene, 'x', 'y');
    expect(y).toBeGreaterThanOrEqual(x);
  });

  test('untrained rates follow recency, then engagement', () => {
    const scene = new Scene();
    const add = (id: string, hours: number, likes: number) => {
      scene.item(id, { created_at: NOW - hours * HOUR });
      for (let index = 0; index < likes; index++) scene.act(`${id} ${index}`, 'like', id, NOW - hours * 3000);
    };
    add('new and liked', 1, 12);
    add('new', 1, 0);
    add('of yesterday, liked', 20, 12);
    add('of yesterday', 20, 0);
    add('old and liked', 500, 12);
    add('old', 500, 0);
    const order = ['new and liked', 'new', 'of yesterday, liked', 'of yesterday', 'old and liked', 'old'];
    const found = rates(scene, ...order);
    expect(found).toEqual(found.toSorted((one, other) => other - one));
    expect(new Set(found).size).toBe(6);
  });

  test('the rate is unknown until two hours of engagement are known, even if they were recorded later', () => {
    const scene = new Scene().item('x').act('one', 'view', 'x').act('one', 'hide', 'x');
    expect(scene.state.trend.isRateKnown(NOW + 1000 * DAY)).toBe(false);
    expect(scene.state.trend.newest).toBe(0);
    expect(scene.act('one', 'like', 'x').state.trend.newest).toBe(NOW);
    expect([0, 2].map((hours) => scene.state.trend.isRateKnown(NOW + hours * HOUR))).toEqual([false, true]);
    // A client whose clock stands at 1970 adds no past.
    expect(scene.act('three', 'like', 'x', 0).state.trend.isRateKnown(NOW)).toBe(false);
    expect(scene.act('three', 'like', 'not yet posted', 0).state.trend.isRateKnown(NOW)).toBe(false);
    scene.act('two', 'like', 'x', NOW - 2 * HOUR);
    expect(scene.state.trend.isRateKnown(NOW)).toBe(true);
  });
});

describe('training trends from the stream', () => {
  const { scene, posts } = plantedStream(30);
  const young = posts.filter(
    ({ created_at }) => scene.now - created_at >= 600 && scene.now - created_at < HOUR,
  );

  /** The share of pairs of young posts in which the later popular one is ranked first. */
  function rightly(state: State, now = scene.now): number {
    const rateOf = ({ id }: { id: string }) => state.trend.rate(state.items.names.find(id), now);
    const discussed = young.filter((post) => post.discussed).map(rateOf);
    const plain = young.filter((post) => !post.discussed).map(rateOf);
    const pairs = discussed.flatMap((one) => plain.map((other) => Number(one > other)));
    return pairs.reduce((sum, right) => sum + right, 0) / pairs.length;
  }

  test('trends learn which early signs predict later engagement', () => {
    const untaught = new State({ learns_from: Number.POSITIVE_INFINITY });
    for (const change of scene.changes) applyChange(untaught, change);
    expect(rightly(untaught)).toBeLessThan(0.4);
    expect(rightly(scene.state)).toBeGreaterThan(0.9);
  });

  test('trends learn the same to the last bit each time', () => {
    const again = fold(scene.changes);
    expect(again.trend.numbers()).toEqual(scene.state.trend.numbers());
    const items = Array.from({ length: again.items.size }, (_, item) => item);
    const ratesIn = ({ trend }: State) => items.map((item) => trend.rate(item, scene.now));
    expect(ratesIn(again)).toEqual(ratesIn(scene.state));
  });

  test('trends can be stored and restored, and learning continues identically', () => {
    const cut = scene.changes.length - 3000;
    const numbers = fold(scene.changes.slice(0, cut)).trend.numbers();
    const resumed = new State({ learns_from: scene.changes[cut].seq });
    for (const change of scene.changes.slice(0, cut)) applyChange(resumed, change);
    resumed.trend.restore(numbers);
    expect(resumed.trend.numbers()).toEqual(numbers);
    for (const change of scene.changes.slice(cut)) applyChange(resumed, change);
    expect(resumed.trend.numbers()).toEqual(scene.state.trend.numbers());
  });

  test('trends ignore items that are deleted, hidden or erased before the outcome is known', () => {
    /** The number of training items when an event happens between a list and its outcome. */
    const trainedOn = (happens: (scene: Scene) => void) => {
      const scene = new Scene();
      for (const id of ['x', 'y', 'z']) scene.item(id, { author: `author of ${id}` }).act('one', 'like', id);
      scene.now += 700;
      happens(scene.act('two', 'like', 'z'));
      scene.now += 3 * HOUR;
      return scene.act('three', 'like', 'z').state.trend.numbers().at(-LEARNER_NUMBERS);
    };
    expect(trainedOn(() => {})).toBe(3);
    expect(trainedOn((scene) => scene.delete('x'))).toBe(2);
    expect(trainedOn((scene) => scene.item('x', { hidden: true }))).toBe(2);
    expect(trainedOn((scene) => scene.erase('author of x'))).toBe(2);
    // A single item cannot be compared with others.
    expect(trainedOn((scene) => scene.delete('x').erase('author of y'))).toBe(0);
  });

  test('restored trends do not contain an erased item whose name is used again', () => {
    const scene = new Scene().item('x', { author: 'one' }).item('y').item('z');
    for (const id of ['x', 'y', 'z']) scene.act('two', 'like', id);
    const numbers = scene.state.trend.numbers();
    scene.erase('one').item('x').state.trend.restore(numbers);
    scene.now += 700;
    scene.act('two', 'share', 'z');
    scene.now += 3 * HOUR;
    expect(scene.act('three', 'like', 'z').state.trend.numbers().at(-LEARNER_NUMBERS)).toBe(2);
  });
});
