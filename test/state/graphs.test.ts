import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BitSet } from '../../src/bit-set.ts';
import { imageOf } from '../../src/columns/image.ts';
import { Blocks } from '../../src/state/blocks.ts';
import { CommentIds } from '../../src/state/comment-ids.ts';
import { Follows } from '../../src/state/follows.ts';
import { check } from '../support/long.ts';

describe('follows', () => {
  test('follows keep every one of 5,000 followers while the lists outgrow their regions', () => {
    const follows = new Follows();
    for (let user = 0; user < 5000; user++) follows.record(user, 5000 + (user % 7), true, 1);
    for (let target = 5000; target < 5007; target++) {
      const expected = Array.from({ length: 5000 }, (_, user) => user).filter(
        (user) => 5000 + (user % 7) === target,
      );
      expect(follows.followers(target)).toEqual(expected);
    }
  });
});

/** Messages about pairs of four users, and erasures, out of order. */
const MESSAGES = fc.array(
  fc.record({
    ...{ user: fc.nat(3), target: fc.nat(3), add: fc.boolean(), time: fc.integer({ min: 1, max: 6 }) },
    erases: fc.nat(19).map((drawn) => drawn === 0),
  }),
  { maxLength: 60, size: 'max' },
);
const ALL = [0, 1, 2, 3];

test.each(['follows', 'blocks'])(
  '%s are what the latest message of each pair says, in both directions',
  (kind) => {
    check(300, [MESSAGES], (messages) => {
      const [follows, blocks] = [new Follows(), new Blocks()];
      const graph = kind === 'follows' ? follows : blocks;
      const pairs = new Map<string, { add: boolean; time: number }>();
      for (const { user, target, add, time, erases } of messages) {
        if (erases) {
          graph.eraseUser(user);
          // That others ended a follow of the user stays known. No user gets the ordinal again.
          for (const [pair, { add }] of pairs) {
            const is_ended = kind === 'follows' && !add && !pair.startsWith(`${user} `);
            if (pair.split(' ').includes(`${user}`) && !is_ended) pairs.delete(pair);
          }
          continue;
        }
        const before = pairs.get(`${user} ${target}`);
        const is_news =
          before === undefined || time > before.time || (time === before.time && add !== before.add);
        expect(graph.record(user, target, add, time)).toBe(is_news);
        if (is_news) pairs.set(`${user} ${target}`, { add, time });
      }
      const stands = (user: number, target: number) => pairs.get(`${user} ${target}`)?.add ?? false;
      for (const user of ALL) {
        const [targets, others] = [
          ALL.filter((other) => stands(user, other)),
          ALL.filter((other) => stands(other, user)),
        ];
        if (kind === 'blocks') {
          expect(blocks.blocked(user).toSorted()).toEqual(targets);
          for (const other of ALL) {
            expect(blocks.blocks(user, other)).toBe(stands(user, other));
            expect(blocks.between(user, other)).toBe(stands(user, other) || stands(other, user));
          }
          continue;
        }
        expect([follows.following(user).toSorted(), follows.followers(user).toSorted()]).toEqual([
          targets,
          others,
        ]);
        expect([follows.count(user), follows.followerCount(user)]).toEqual([targets.length, others.length]);
        const entries = ALL.flatMap((target) => {
          const pair = pairs.get(`${user} ${target}`);
          return pair === undefined ? [] : [{ target, time: pair.time, current: pair.add }];
        });
        expect([...follows.entries(user)].toSorted((one, other) => one.target - other.target)).toEqual(
          entries,
        );
        for (const { target, time } of entries) expect(follows.timestamp(user, target)).toBe(time);
      }
    });
  },
);

test.each([Follows, Blocks])('an image of %p has no times of an erased user', (Graph) => {
  const [ERASED, FIRST] = [1, 1_234_567_000];
  const graph = new Graph();
  // The tables of all users move while they grow.
  for (let other = 2; other < 300; other++) {
    graph.record(ERASED, other, true, FIRST + other);
    graph.record(other, ERASED, true, FIRST + 1_000 + other);
    for (let target = 2; target < other % 20; target++) graph.record(other, target, true, 1_000 + target);
  }
  const times = (): number[] => {
    const words = imageOf(graph).bytes.flatMap((bytes) => [
      ...new Uint32Array(bytes.slice(0, bytes.length - (bytes.length % 4)).buffer),
    ]);
    return words.filter((word) => word >= FIRST && word < FIRST + 2_000);
  };
  expect(new Set(times()).size).toBe(2 * 298);
  graph.eraseUser(ERASED);
  expect(times()).toEqual([]);
});

describe('comment identifiers', () => {
  test('comment identifiers are distinguished per user and item', () => {
    const ids = new CommentIds();
    let wrong = 0;
    for (let index = 0; index < 300; index++) {
      const id = `0x${(index * 2_654_435_761).toString(16)}`;
      if (ids.fact(1, index % 3, id) !== undefined) wrong++;
      ids.set(1, index % 3, id, index, index % 2 === 0);
    }
    for (let index = 0; index < 300; index++) {
      const fact = ids.fact(1, index % 3, `0x${(index * 2_654_435_761).toString(16)}`);
      if (fact?.time !== index || fact.removed !== (index % 2 === 0)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('comment identifiers can be forgotten for some items only', () => {
    const ids = new CommentIds();
    for (const item of [1, 2, 1, 3]) ids.set(5, item, `e${item}`, item, false);
    const gone = new BitSet();
    for (const item of [1, 3]) gone.add(item);
    ids.clearItems(5, gone);
    expect(ids.fact(5, 3, 'e3')).toBeUndefined();
    expect(ids.fact(5, 1, 'e1')).toBeUndefined();
    expect(ids.fact(5, 2, 'e2')).toEqual({ time: 2, removed: false });
  });
});
