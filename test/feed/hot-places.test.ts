import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { HOT_MAX } from '../../src/feed/hot-acts.ts';
import { NOW } from '../support/scene.ts';
import { Course } from './hot-acts-support.ts';
import { COUNTED, Community, IDLE } from './social-proof-support.ts';

/** Pages after which an item that none of them showed gives its place away. */
const FORGOTTEN_AFTER = 256;

describe('places for items that stand on page after page', () => {
  const items = Array.from({ length: 2 * HOT_MAX }, (_, number) => `n${number}`);
  const first = items.slice(0, HOT_MAX);
  const second = items.slice(HOT_MAX);
  const friends = Array.from({ length: 40 }, (_, number) => `f${number}`);

  function crowd(seed: number): { course: Course; happen: (count: number) => void } {
    const community = new Community();
    const random = seededRandom(seed);
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    for (const friend of friends) community.follow('viewer', friend);
    for (const item of items) community.post(item);
    const happen = (count: number) => {
      for (let left = count; left > 0; left--) {
        const [user, type, item] = [one(friends), one(COUNTED), one(items)];
        community.act({ user, type, item, time: NOW - Math.floor(random() * 4), add: random() < 0.8 });
      }
    };
    return { course: new Course(community), happen };
  }

  test('are given away when none of many pages showed their items, one a page', () => {
    const { course, happen } = crowd(1);
    const { community } = course;
    happen(600);
    course.warm(first);
    expect(community.hot()).toEqual(new Set(first));
    // Nobody has a place to give.
    for (let left = FORGOTTEN_AFTER - 1; left > 0; left--) community.read('warmer', second);
    expect(community.hot()).toEqual(new Set(first));
    happen(200);
    // All but these are given away from now on.
    const shown = ['n0', 'n1', ...IDLE, ...second];
    for (let count = 1; count <= 30; count++) {
      course.compare('viewer', count % 2 === 0 ? shown : shown.toReversed());
      expect([...community.hot()].filter((item) => !first.includes(item)).length).toBe(count);
      expect(community.hot().size).toBe(HOT_MAX);
    }
    expect(['n0', 'n1'].every((item) => community.hot().has(item))).toBe(true);
    happen(200);
    course.compare('viewer', items);
    expect(course.told).toBeGreaterThan(300);
  });

  test('are for items that more than a few of many pages show', () => {
    const { community } = crowd(5).course;
    community.warm(['n0']);
    for (let number = 1; number <= 10 * FORGOTTEN_AFTER; number++) {
      const shown = ['n1', 'n2', 'n3'].filter((_, index) => number % [10, 40, 200][index] === 0);
      community.read('warmer', ['n0', ...shown]);
    }
    expect(community.hot()).toEqual(new Set(['n0', 'n1']));
  });

  test('are free at once when their items are deleted', () => {
    const { community } = crowd(6).course;
    community.warm(first).delete('n7').warm(['n200', 'n201']);
    expect(community.hot()).toEqual(new Set([...first.filter((item) => item !== 'n7'), 'n201']));
  });

  test('say nothing of the items that had them before', () => {
    for (const seed of [2, 3, 4]) {
      const { course, happen } = crowd(seed);
      const { community } = course;
      const windows = [
        first,
        second,
        items.slice(64, 64 + HOT_MAX),
        [...first.slice(0, 9), ...second.slice(0, 99)],
      ];
      for (const shown of windows) {
        happen(300);
        for (let left = FORGOTTEN_AFTER; left > 0; left--) community.read('warmer', shown);
        course.warm(shown);
        expect(community.hot().size).toBe(HOT_MAX);
        course.compare('viewer', items);
        happen(100);
        course.compare('viewer', items.toReversed());
        course.compare('viewer', [...shown.slice(90), ...IDLE, ...items.slice(0, 30)]);
      }
      expect(course.told).toBeGreaterThan(500);
    }
  });
});
