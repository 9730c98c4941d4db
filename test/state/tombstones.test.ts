import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FIXED_HASH_KEY } from '../../src/columns/keyed-hash.ts';
import { LIMITS } from '../../src/limits.ts';
import { type Tombstone, Tombstones } from '../../src/state/tombstones.ts';
import { check } from '../support/long.ts';

const COUNT_MAX = 256;
const step = fc.record({ id: fc.nat(600), seconds: fc.constantFrom(0, 1, LIMITS.tombstone_seconds / 100) });

test('tombstones are the last of each identifier, at most 90 days old, and limited in number', () => {
  check(30, [fc.array(step, { maxLength: 1500 })], (steps) => {
    const tombstones = new Tombstones(FIXED_HASH_KEY, 'item', COUNT_MAX);
    let expected: { id: string; now: number; tombstone: Tombstone }[] = [];
    let now = 1_700_000_000;
    for (const [index, { id: number, seconds }] of steps.entries()) {
      now += seconds;
      const id = `item ${number}`;
      const tombstone = { deleted_at: now - index, versions_from: now + index };
      tombstones.expire(now);
      tombstones.set(tombstones.hash(id), tombstone, now);
      expected.push({ id, now, tombstone });
    }
    expected = expected.filter((each) => each.now + LIMITS.tombstone_seconds > now).slice(-COUNT_MAX);
    const last = new Map(expected.map(({ id, tombstone }) => [id, tombstone]));
    for (let number = 0; number <= 600; number++) {
      const id = `item ${number}`;
      expect(tombstones.find(tombstones.hash(id), now)).toEqual(last.get(id));
    }
    expect(tombstones.size).toBe(last.size);
    tombstones.expire(now + LIMITS.tombstone_seconds);
    expect(tombstones.size).toBe(0);
  });
});

test('the hash of an identifier depends on all of it, on the space and on the key', () => {
  const of = (space: 'user' | 'item', key: [number, number], id: string) => {
    const { low, high } = new Tombstones(key, space).hash(id);
    return `${low} ${high}`;
  };
  const hashes = [
    of('user', [1, 2], 'abcdefgh'),
    of('user', [1, 2], 'abcdefgi'),
    of('user', [1, 2], 'abcdefg'),
    of('item', [1, 2], 'abcdefgh'),
    of('user', [1, 3], 'abcdefgh'),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
