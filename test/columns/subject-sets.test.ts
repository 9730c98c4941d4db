import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SubjectSets } from '../../src/columns/subject-sets.ts';
import { NONE } from '../../src/model/key.ts';
import { check } from '../support/long.ts';

const FLAG_BITS = 5;

/** Few enough to repeat, and some that are far apart. */
const key = fc.oneof(fc.nat(90), fc.nat(2 ** 27 - 2));

const operation = fc.record({
  subject: fc.nat(3),
  keys: fc.array(key, { maxLength: 80, size: 'max' }),
  flags: fc.integer({ min: 1, max: 31 }),
  act: fc.constantFrom('all', 'all', 'all', 'one', 'clear'),
});

type Model = Map<number, Map<number, number>>;

function add(model: Model, subject: number, keys: readonly number[], flags: number): void {
  const table = model.get(subject) ?? new Map();
  model.set(subject, table);
  for (const one of keys) table.set(one, (table.get(one) ?? 0) | flags);
}

function contents(sets: SubjectSets, subject: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let at = sets.start(subject); at < sets.end(subject); at++) {
    if (sets.key(at) === NONE) continue;
    expect(found.has(sets.key(at))).toBe(false);
    found.set(sets.key(at), sets.flags(at));
  }
  return found;
}

describe('SubjectSets', () => {
  test('subject sets hold the added keys as maps would, whether added at once or one by one', () => {
    check(150, [fc.array(operation, { maxLength: 30 }), fc.array(key)], (operations, others) => {
      const sets = new SubjectSets(FLAG_BITS);
      const model: Model = new Map();
      for (const { subject, keys, flags, act } of operations) {
        if (act === 'clear') {
          sets.clear(subject);
          model.delete(subject);
        } else if (act === 'all') {
          sets.addAll(subject, Uint32Array.from(keys), keys.length, flags);
          add(model, subject, keys, flags);
        } else if (keys.length > 0) {
          sets.addOne(subject, keys[0], flags);
          add(model, subject, [keys[0]], flags);
        }
      }
      for (let subject = 0; subject <= 3; subject++) {
        const table = model.get(subject) ?? new Map<number, number>();
        expect(sets.count(subject)).toBe(table.size);
        expect(contents(sets, subject)).toEqual(table);
        for (const one of [...table.keys(), ...others]) {
          const at = sets.find(subject, one);
          expect(at === NONE ? undefined : sets.flags(at)).toBe(table.get(one));
        }
      }
    });
  });

  test('subject sets add pages of keys repeatedly, whatever the table contains', () => {
    const sets = new SubjectSets(FLAG_BITS);
    const model: Model = new Map();
    let next = 1;
    const fresh = () => {
      next = (Math.imul(next, 1_664_525) + 1_013_904_223) >>> 0;
      return next >>> 5;
    };
    for (let page = 0; page < 60; page++) {
      const known = [...(model.get(2)?.keys() ?? [])].slice(-3);
      const keys = [...known, ...Array.from({ length: 22 }, fresh)];
      sets.addAll(2, Uint32Array.from(keys), keys.length, 1);
      add(model, 2, keys, 1);
      sets.addOne(2, fresh(), 4);
      add(model, 2, [next >>> 5], 4);
      expect(contents(sets, 2)).toEqual(model.get(2) ?? new Map());
      for (const [one, flags] of model.get(2) ?? []) {
        const at = sets.find(2, one);
        expect(at === NONE ? NONE : sets.flags(at)).toBe(flags);
      }
      // Seven eighths at most.
      expect((sets.end(2) - sets.start(2)) * 7).toBeGreaterThanOrEqual(sets.count(2) * 8);
    }
  });

  test('subject sets add nothing to a missing table', () => {
    const sets = new SubjectSets(FLAG_BITS);
    sets.addAll(1, new Uint32Array(4), 0, 1);
    expect([sets.count(1), sets.end(1) - sets.start(1)]).toEqual([0, 0]);
  });
});
