import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHANGES_KEPT, KEEP_UP } from '../../src/state/change-ring.ts';
import { itemOf, NOW } from '../support/scene.ts';
import { Course, type Step } from './hot-acts-support.ts';
import {
  type Act,
  acts,
  anybody,
  anything,
  Community,
  EVERYBODY,
  FRIENDS,
  ITEMS,
  OTHERS,
  page,
  pair,
} from './social-proof-support.ts';

const ALL = [...ITEMS, ...OTHERS];
const several = fc.shuffledSubarray(ALL, { minLength: 1, maxLength: 4 });
const friendship = fc.constantFrom(...FRIENDS).map((friend): [string, string] => ['viewer', friend]);
/** Here and there, or two users with two items again and again. */
const happened = fc.oneof(
  acts(fc.constantFrom(...FRIENDS, ...EVERYBODY), anything, 30),
  acts(fc.constantFrom('b', 'a'), fc.constantFrom('i0', 'o0'), 30),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('pages' as const),
      pages: fc.array(page, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('acts' as const), acts: happened }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('warm' as const),
      items: fc.shuffledSubarray(ALL, { minLength: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('follow' as const), pair: fc.oneof(friendship, pair) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), pair }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('erase' as const),
      user: fc.oneof(fc.constantFrom(...FRIENDS), anybody),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), item: anything, again: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: several.chain((items) =>
      fc.record({
        kind: fc.constant('retire' as const),
        items: fc.constant(items),
        again: fc.shuffledSubarray(items),
        recycled: fc.boolean(),
      }),
    ),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'flood' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'keep up' as const }) },
);

/** An act on an item at a moment, as most tests need it. */
function like(user: string, item: string, ago = 1): Act {
  return { user, type: 'like', item, time: NOW - ago, add: true };
}

describe('what is kept of items that stand on page after page', () => {
  test('is what looking at everything finds, whatever happens between the pages', () => {
    const follows = fc.tuple(
      fc.shuffledSubarray(FRIENDS, { minLength: 2 }),
      fc.array(pair, { maxLength: 8 }),
    );
    const steps = fc.array(step, { maxLength: 30, size: 'max' });
    let told = 0;
    fc.assert(
      fc.property(follows, happened, steps, ([friends, more], before, steps) => {
        const community = new Community();
        for (const friend of friends) community.follow('viewer', friend);
        for (const [user, target] of more) community.follow(user, target);
        const course = new Course(community);
        course.take({ kind: 'acts', acts: before });
        course.warm(ALL);
        for (const step of steps) course.take(step);
        course.compare('viewer', ALL);
        told += course.told;
      }),
      { numRuns: 200 },
    );
    expect(told).toBeGreaterThan(100);
  });

  test('begins with the page after the sixteenth that shows an item, one item a page', () => {
    const community = new Community().follow('viewer', 'a').act(like('a', 'i0')).act(like('a', 'i1'));
    const hot: string[][] = [];
    for (let number = 1; number <= 18; number++) {
      expect(community.read('viewer', ['i0', 'i1', 'nothing'])).toEqual(
        community.expected('viewer', ['i0', 'i1', 'nothing']),
      );
      hot.push([...community.hot()].sort());
    }
    expect(hot.slice(14)).toEqual([[], ['nothing'], ['i1', 'nothing'], ['i0', 'i1', 'nothing']]);
  });

  test('is kept through any number of acts that it is told of', () => {
    const course = new Course(new Community().follow('viewer', 'a'));
    const { community } = course;
    course.warm(['i0']);
    for (let round = 0; round < 6; round++) {
      community
        .act(like('a', 'i0', 10 - round))
        .flood(KEEP_UP)
        .keepUp();
    }
    expect([...community.hot()]).toEqual(['i0']);
    course.compare('viewer', ['i0']);
    expect(course.told).toBe(1);
  });

  test('follows comments that are taken back, news that comes late, and the second of the latest', () => {
    const course = new Course(new Community().follow('viewer', 'a').follow('viewer', 'b'));
    const { community } = course;
    course.warm(['i0']);
    const act = (user: string, type: string, ago: number, add = true) => {
      community.act({ user, type, item: 'i0', time: NOW - ago, add });
      course.compare('viewer', ['i1', 'i0']);
    };
    act('a', 'comment', 5);
    act('a', 'comment', 3);
    act('a', 'comment', 9);
    act('a', 'like', 2.75);
    act('a', 'share', 3);
    // Older than what is known, then the same moment, then later.
    act('a', 'like', 4, false);
    act('a', 'like', 2.75, false);
    act('b', 'like', 2, false);
    act('b', 'like', 7);
    act('b', 'like', 1);
    act('a', 'comment', 3, false);
    act('a', 'share', 1, false);
    act('a', 'comment', 5, false);
    act('b', 'hide', 0);
    expect(community.read('viewer', ['i0'])).toEqual([
      {
        social_proof: [
          { user_id: 'b', timestamp: NOW - 1, interaction: 'like' },
          { user_id: 'a', timestamp: NOW - 9, interaction: 'comment' },
        ],
        following_engagement: { like: 1, comment: 1, share: 0 },
      },
    ]);
    act('a', 'comment', 9, false);
    expect(course.told).toBe(15);
    expect([...community.hot()]).toEqual(['i0']);
  });

  test('goes with an item that is deleted, and begins anew when it is posted again', () => {
    const course = new Course(new Community().follow('viewer', 'a').follow('viewer', 'b'));
    const { community } = course;
    community.act(like('a', 'i0')).act(like('b', 'i0')).act(like('b', 'i1'));
    course.warm(['i0', 'i1']);
    community
      .delete('i0')
      .post('i0')
      .act(like('b', 'i0', 0));
    course.compare('viewer', ['i0', 'i1']);
    expect([...community.hot()]).toEqual(['i1']);
    course.warm(['i0']);
    course.compare('viewer', ['i0', 'i1']);
    expect(course.told).toBe(3);
  });

  test('is nothing of the item that had the ordinal before', () => {
    for (const flooded of [0, CHANGES_KEPT + 1]) {
      const course = new Course(new Community().follow('viewer', 'a').follow('viewer', 'b'));
      const { community } = course;
      community.act(like('a', 'i0')).act(like('b', 'i1'));
      course.warm(['i0', 'i1']);
      const before = itemOf(community.scene, 'i0');
      community.retire(['i0']).scene.recycle();
      community
        .post('another')
        .flood(flooded)
        .act(like('b', 'another', 0));
      expect(itemOf(community.scene, 'another')).toBe(before);
      course.compare('viewer', ['another', 'i1']);
      expect([...community.hot()]).toEqual(flooded === 0 ? ['i1'] : []);
      course.warm(['another', 'i1']);
      course.compare('viewer', ['another', 'i1']);
      expect(course.told).toBe(flooded === 0 ? 3 : 2);
    }
  });

  test('is nothing of a user who was erased, nor of the next of that name', () => {
    const course = new Course(new Community().follow('viewer', 'a').follow('viewer', 'b'));
    const { community } = course;
    community.act(like('a', 'i0')).act(like('b', 'i0')).act(like('a', 'i1'));
    course.warm(['i0', 'i1']);
    community
      .erase('a')
      .follow('viewer', 'a')
      .act(like('a', 'i1', 0));
    course.compare('viewer', ['i0', 'i1']);
    community.erase('b');
    course.compare('viewer', ['i0', 'i1']);
    expect(course.told).toBe(3);
    // Their places are given back, too.
    community.delete('i0').post('i0').act(like('a', 'i0'));
    course.warm(['i0']);
    course.compare('viewer', ['i0', 'i1']);
    expect(course.told).toBe(5);
  });

  test('takes no room for users who were erased, nor for items that are not hot any more', () => {
    const { community } = new Course(new Community().follow('viewer', 'a'));
    for (let round = 0; round < 3; round++) {
      for (const item of ['i0', 'i1']) for (const user of ['a', 'b', 's2']) community.act(like(user, item));
      // Nothing that anybody sees.
      community.act({ ...like('b', 'i0', 0), add: false }).act({ ...like('s3', 'i0'), type: 'view' });
      community.warm(['i0', 'i1']).act(like('9', 'i1')).read('warmer', ['i0']);
      // What was taken back keeps its room.
      community.act({ ...like('9', 'i1', 0), add: false }).read('warmer', ['i0']);
      expect(community.room()).toEqual([6, 6]);
      community.erase('a').read('warmer', ['i0']);
      expect(community.room()[0]).toBe(4);
      community.delete('i0').read('warmer', ['i1']);
      expect(community.room()).toEqual([3, 4]);
      community.delete('i1').read('warmer', ['i1']);
      expect(community.room()).toEqual([0, 0]);
    }
  });

  test('is given up when more was done than is noted, and right at once', () => {
    for (const [noted, kept] of [
      [CHANGES_KEPT, true],
      [CHANGES_KEPT + 1, false],
      [3 * CHANGES_KEPT, false],
    ] as const) {
      const course = new Course(new Community().follow('viewer', 'a').follow('viewer', 'b'));
      const { community } = course;
      for (const item of ALL) community.act(like('a', item, 7));
      course.warm(ALL);
      community.act(like('b', 'i0')).act({ ...like('a', 'o0', 3), add: false });
      community.flood(noted - 2);
      course.compare('viewer', ALL);
      expect([noted, community.hot().size]).toEqual([noted, kept ? ALL.length : 0]);
      course.warm(ALL);
      course.compare('viewer', ALL);
      expect(course.told).toBe((kept ? 2 : 1) * (ALL.length - 1));
    }
  });
});
