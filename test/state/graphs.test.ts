import { describe, expect, test } from 'bun:test';
import { BitSet } from '../../src/bit-set.ts';
import { imageOf } from '../../src/columns/image.ts';
import { Blocks } from '../../src/state/blocks.ts';
import { CommentIds } from '../../src/state/comment-ids.ts';
import { Follows } from '../../src/state/follows.ts';

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

  test('a removed follow stays removed when an older message arrives later', () => {
    const follows = new Follows();
    follows.record(1, 2, true, 10);
    follows.record(1, 2, false, 20);
    expect(follows.record(1, 2, true, 15)).toBe(false);
    expect(follows.follows(1, 2)).toBe(false);
    expect(follows.timestamp(1, 2)).toBe(20);
    expect([...follows.entries(1)]).toEqual([{ target: 2, time: 20, current: false }]);
    expect(follows.record(1, 2, true, 20)).toBe(true);
    expect(follows.follows(1, 2)).toBe(true);
  });

  test('follows of an erased user disappear in both directions', () => {
    const follows = new Follows();
    for (const [user, target] of [
      [1, 2],
      [2, 1],
      [3, 1],
      [1, 1],
    ])
      follows.record(user, target, true, 1);
    follows.eraseUser(1);
    for (const user of [1, 2, 3]) {
      expect(follows.following(user)).toEqual([]);
      expect(follows.followers(user)).toEqual([]);
      expect([follows.count(user), follows.followerCount(user)]).toEqual([0, 0]);
    }
  });
});

describe('blocks', () => {
  test('blocks work in both directions and end by the latest message of the blocker', () => {
    const blocks = new Blocks();
    expect(blocks.between(1, 2)).toBe(false);
    expect(blocks.record(1, 2, true, 10)).toBe(true);
    expect(blocks.record(1, 2, true, 10)).toBe(false);
    expect([blocks.blocks(1, 2), blocks.blocks(2, 1)]).toEqual([true, false]);
    expect([blocks.between(1, 2), blocks.between(2, 1), blocks.between(1, 3)]).toEqual([true, true, false]);
    expect(blocks.record(1, 2, false, 9)).toBe(false);
    expect(blocks.record(1, 2, false, 11)).toBe(true);
    expect(blocks.record(1, 2, true, 10.5)).toBe(false);
    expect(blocks.between(2, 1)).toBe(false);
    expect(blocks.blocked(1)).toEqual([]);
  });

  test('an unblock that comes first outdates an older block', () => {
    const blocks = new Blocks();
    expect(blocks.record(1, 2, false, 10)).toBe(true);
    expect(blocks.record(1, 2, true, 9)).toBe(false);
    expect(blocks.between(1, 2)).toBe(false);
    expect(blocks.record(1, 2, true, 11)).toBe(true);
    expect(blocks.between(2, 1)).toBe(true);
  });

  test('blocks of an erased user and against them disappear', () => {
    const blocks = new Blocks();
    for (const [user, target] of [
      [1, 2],
      [2, 1],
      [3, 1],
      [3, 2],
    ])
      blocks.record(user, target, true, 10);
    blocks.eraseUser(1);
    expect([1, 2, 3].map((user) => blocks.blocked(user))).toEqual([[], [], [2]]);
  });
});

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
