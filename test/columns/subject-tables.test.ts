import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SubjectTables } from '../../src/columns/subject-tables.ts';
import { NONE } from '../../src/model/key.ts';
import { check } from '../support/long.ts';

const operation = fc.record({
  subject: fc.nat(4),
  key: fc.oneof(fc.nat(40), fc.constantFrom(2 ** 26, 2 ** 26 - 1)),
  act: fc.constantFrom('put', 'put', 'put', 'find', 'clear', 'remove'),
  flags: fc.nat(31),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

describe('SubjectTables', () => {
  test('subject tables reject more keys than can be counted, and stay unchanged', () => {
    const tables = new SubjectTables({}, 5);
    tables.put(1, 7);
    expect(() => tables.makeRoom(1, 2 ** 24)).toThrow(RangeError);
    expect([tables.count(1), tables.find(1, 7) !== NONE, tables.slots.length]).toEqual([1, true, 1024]);
  });

  test('subject tables hold keys, flags and columns as maps would', () => {
    check(80, [fc.array(operation, { maxLength: 200, size: 'max' })], (operations) => {
      const tables = new SubjectTables({ extra: new Uint32Array(1) }, 5);
      const model = new Map<number, Map<number, { flags: number; extra: number }>>();
      for (const [index, { subject, key, act, flags, place }] of operations.entries()) {
        const table = model.get(subject) ?? new Map();
        model.set(subject, table);
        if (act === 'clear' && place < 0.2) {
          tables.clear(subject);
          table.clear();
        } else if (act === 'remove') {
          tables.remove(subject, key);
          table.delete(key);
        } else if (act === 'put') {
          const isNew = !table.has(key);
          const at = tables.put(subject, key);
          expect(tables.key(at)).toBe(key);
          if (isNew) expect(tables.flags(at)).toBe(0);
          tables.setFlags(at, flags);
          tables.columns.extra[at] = index;
          table.set(key, { flags, extra: index });
        }
        const at = tables.find(subject, key);
        expect(at === NONE).toBe(!table.has(key));
        expect(tables.count(subject)).toBe(table.size);
      }
      for (const [subject, table] of model) {
        const found = new Map<number, { flags: number; extra: number }>();
        for (let at = tables.start(subject); at < tables.end(subject); at++) {
          if (tables.key(at) === NONE) continue;
          found.set(tables.key(at), { flags: tables.flags(at), extra: tables.columns.extra[at] });
        }
        expect(found).toEqual(table);
      }
      const { slots, columns } = tables;
      expect([...columns.extra].filter((value, at) => value !== 0 && !slots[at])).toEqual([]);
    });
  });

  test('full subject tables grow for a new key and stay in place for a known one', () => {
    const tables = new SubjectTables({ extra: new Uint32Array(1) }, 5);
    const slots = () => tables.end(2) - tables.start(2);
    let enlarged = 0;
    for (let count = 0; count < 500; count++) {
      const keys = Array.from({ length: count }, (_, number) => number * 7);
      const before = [tables.start(2), slots()];
      for (const key of keys) {
        const at = tables.put(2, key);
        expect([tables.key(at), tables.flags(at), tables.columns.extra[at]]).toEqual([key, key % 31, key]);
      }
      expect([tables.start(2), slots(), tables.count(2)]).toEqual([...before, count]);
      const at = tables.put(2, count * 7);
      expect([tables.key(at), tables.flags(at), tables.count(2)]).toEqual([count * 7, 0, count + 1]);
      tables.setFlags(at, (count * 7) % 31);
      tables.columns.extra[at] = count * 7;
      // Seven eighths at most.
      expect(slots() * 7).toBeGreaterThanOrEqual((count + 1) * 8);
      if (slots() === before[1]) continue;
      enlarged++;
      expect(before[1] * 7).toBeLessThan((count + 1) * 8);
    }
    expect(enlarged).toBeGreaterThan(10);
  });

  test('subject tables without flags hold keys of up to 32 bits', () => {
    const tables = new SubjectTables({}, 0);
    const keys = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2];
    for (const key of keys) expect(tables.key(tables.put(3, key))).toBe(key);
    for (const key of keys) expect(tables.key(tables.find(3, key))).toBe(key);
    expect(tables.find(3, 2)).toBe(NONE);
  });

  test('subject tables keep their contents when they move to a larger region', () => {
    const keys = fc.uniqueArray(fc.nat(2 ** 26), { minLength: 1, maxLength: 90, size: 'max' });
    check(100, [keys, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 })], (known, steps) => {
      const tables = new SubjectTables({ value: new Uint16Array(64) }, 5);
      for (const [index, key] of known.entries()) {
        const at = tables.put(1, key);
        tables.setFlags(at, index & 31);
        tables.columns.value[at] = index;
      }
      let room = known.length;
      for (const step of steps) {
        room += step;
        tables.makeRoom(1, room);
        for (const [index, key] of known.entries()) {
          const at = tables.find(1, key);
          expect([tables.key(at), tables.flags(at), tables.columns.value[at]]).toEqual([
            key,
            index & 31,
            index,
          ]);
          if (!known.includes(key + 1)) expect(tables.find(1, key + 1)).toBe(NONE);
        }
        expect(tables.count(1)).toBe(known.length);
      }
    });
  });

  test('subject tables find 10,000 keys of one subject, and no missing key', () => {
    const tables = new SubjectTables({}, 5);
    for (let key = 0; key < 10_000; key++) tables.put(0, key * 3);
    let wrong = 0;
    for (let key = 0; key < 30_000; key++) {
      if ((tables.find(0, key) !== NONE) !== (key % 3 === 0)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('subject tables are empty for an unknown subject', () => {
    const tables = new SubjectTables({}, 5);
    expect([tables.count(1e6), tables.find(1e6, 0), tables.start(1e6), tables.end(1e6)]).toEqual([
      0,
      NONE,
      0,
      0,
    ]);
  });
});
