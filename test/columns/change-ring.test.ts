import { describe, expect, test } from 'bun:test';
import { ChangeRing } from '../../src/columns/change-ring.ts';

function ringOf(count: number): ChangeRing {
  const ring = new ChangeRing();
  for (let item = 0; item < count; item++) ring.note(item);
  return ring;
}

describe('ChangeRing', () => {
  test('a change ring lists changes since a version, newest first, with repeats', () => {
    const ring = ringOf(3);
    const version = ring.version;
    for (const item of [7, 8, 7]) ring.note(item);
    expect(ring.since(version, 100)).toEqual([7, 8, 7]);
    expect(ring.since(0, 100)).toEqual([7, 8, 7, 2, 1, 0]);
    expect(ring.since(ring.version, 100)).toEqual([]);
  });

  test('a change ring lists at most the limit, the newest', () => {
    expect(ringOf(10).since(0, 3)).toEqual([9, 8, 7]);
    expect(ringOf(10).since(8, 3)).toEqual([9, 8]);
    expect(ringOf(10).since(0, 0)).toEqual([]);
  });

  test('a change ring forgets changes beyond its capacity', () => {
    const since = ringOf(10_000).since(0, 1e9);
    expect(since).toHaveLength(4096);
    expect([since[0], since[4095]]).toEqual([9999, 10_000 - 4096]);
  });
});
