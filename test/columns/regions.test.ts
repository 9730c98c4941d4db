import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { classCapacity, classFor, RegionAllocator } from '../../src/columns/regions.ts';
import { check } from '../support/long.ts';

describe('size classes', () => {
  test('size classes grow by at most a half, and by an eighth for long lists', () => {
    const capacities = Array.from({ length: 22 }, (_, size_class) => classCapacity(size_class));
    expect(capacities).toEqual([
      1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128,
    ]);
    for (let size_class = 14; size_class < 200; size_class++) {
      expect(classCapacity(size_class)).toBeLessThanOrEqual(classCapacity(size_class - 1) * 1.125);
    }
  });

  test('classFor gives the smallest class that fits', () => {
    for (let length = 0; length < 2000; length++) {
      const size_class = classFor(length);
      expect(classCapacity(size_class)).toBeGreaterThanOrEqual(length);
      if (size_class > 0) expect(classCapacity(size_class - 1)).toBeLessThan(length);
    }
  });
});

/** Regions as a caller manages them. It follows the moves that the allocator requests. */
class Caller {
  readonly allocator = new RegionAllocator();
  readonly regions = new Map<number, { start: number; size_class: number }>();

  /** Gives the subject a region of a class, and returns its previous one. */
  put(subject: number, size_class: number): void {
    const former = this.regions.get(subject);
    this.regions.set(subject, { start: this.allocator.take(size_class, subject), size_class });
    if (former !== undefined) this.give(former);
  }

  drop(subject: number): void {
    const region = this.regions.get(subject);
    this.regions.delete(subject);
    if (region !== undefined) this.give(region);
  }

  /** Extents in order, after a check that none overlaps another or the top. */
  extents(): number {
    const all = [...this.regions.values()].sort((one, other) => one.start - other.start);
    let end = 0;
    let used = 0;
    for (const { start, size_class } of all) {
      expect(start).toBeGreaterThanOrEqual(end);
      end = start + classCapacity(size_class);
      used += classCapacity(size_class);
    }
    expect(end).toBeLessThanOrEqual(this.allocator.top);
    return used;
  }

  private give({ start, size_class }: { start: number; size_class: number }): void {
    const from = this.allocator.give(start, size_class);
    if (from === start) return;
    const moved = this.regions.get(this.allocator.moved);
    expect(moved).toEqual({ start: from, size_class });
    this.regions.set(this.allocator.moved, { start, size_class });
  }
}

describe('a region allocator', () => {
  test('a region allocator never assigns used memory, even if regions move or exceed a chunk', () => {
    const step = fc.record({
      subject: fc.nat(60),
      size_class: fc.oneof(fc.nat(6), fc.integer({ min: 14, max: 34 })),
      drop: fc.nat(3).map((drawn) => drawn === 0),
    });
    check(100, [fc.array(step, { maxLength: 200, size: 'max' })], (steps) => {
      const caller = new Caller();
      for (const { subject, size_class, drop } of steps) {
        if (drop) caller.drop(subject);
        else caller.put(subject, size_class);
        caller.extents();
      }
      for (const subject of [...caller.regions.keys()]) caller.drop(subject);
      expect(caller.allocator.top).toBe(0);
    });
  });

  test('a region allocator wastes at most an eighth of the arena after 10,000 lists grew together', () => {
    const caller = new Caller();
    // Too large for a chunk, and no multiple of a unit.
    caller.put(10_000, classFor(280));
    for (let size_class = 0; size_class < 16; size_class++) {
      for (let subject = 0; subject < 10_000; subject++) {
        caller.put((subject * 7919) % 10_000, Math.max(0, size_class - (subject & 1)));
      }
    }
    expect(caller.allocator.top).toBeLessThan(caller.extents() * 1.125);
  });

  test('a region allocator extends the last large region in place', () => {
    const allocator = new RegionAllocator();
    const size_class = classFor(2000);
    const start = allocator.take(size_class, 1);
    expect(allocator.extend(start, size_class, size_class + 1)).toBe(true);
    expect(allocator.top).toBe(start + classCapacity(size_class + 1));
    allocator.take(size_class, 2);
    expect(allocator.extend(start, size_class + 1, size_class + 2)).toBe(false);
  });
});
