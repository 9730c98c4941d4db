import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { classCapacity, classFor, grown, RegionAllocator } from '../../src/state/growable.ts';

describe('size classes', () => {
  test('grow by half or by a third each', () => {
    const capacities = Array.from({ length: 8 }, (_, size_class) => classCapacity(size_class));
    expect(capacities).toEqual([2, 3, 4, 6, 8, 12, 16, 24]);
  });

  test('are the smallest that fit', () => {
    for (let length = 0; length < 2000; length++) {
      const size_class = classFor(length);
      expect(classCapacity(size_class)).toBeGreaterThanOrEqual(length);
      if (size_class > 0) expect(classCapacity(size_class - 1)).toBeLessThan(length);
    }
  });
});

describe('a region allocator', () => {
  test('never hands out what is in use, and takes back what was given before it grows', () => {
    const step = fc.record({ size_class: fc.nat(5), give: fc.boolean(), which: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const allocator = new RegionAllocator();
        const used: { start: number; size_class: number }[] = [];
        const free = new Map<number, number>();
        for (const { size_class, give, which } of steps) {
          if (give && used.length > 0) {
            const [region] = used.splice(which % used.length, 1);
            allocator.give(region.start, region.size_class);
            free.set(region.size_class, (free.get(region.size_class) ?? 0) + 1);
            continue;
          }
          const before = allocator.top;
          const start = allocator.take(size_class);
          const waiting = free.get(size_class) ?? 0;
          expect(allocator.top).toBe(waiting > 0 ? before : before + classCapacity(size_class));
          if (waiting > 0) free.set(size_class, waiting - 1);
          const end = start + classCapacity(size_class);
          for (const other of used) {
            expect(end <= other.start || start >= other.start + classCapacity(other.size_class)).toBe(true);
          }
          used.push({ start, size_class });
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a grown array', () => {
  test('is the same one while it is long enough', () => {
    const array = new Uint8Array(4);
    expect(grown(array, 4)).toBe(array);
  });

  test('keeps type and contents and at least doubles', () => {
    const larger = grown(Int32Array.of(1, -2), 3);
    expect(larger).toEqual(Int32Array.of(1, -2, 0, 0));
    expect(grown(larger, 100)).toHaveLength(100);
  });
});
