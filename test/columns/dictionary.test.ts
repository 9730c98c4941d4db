import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Dictionary } from '../../src/columns/dictionary.ts';
import { imageOf } from '../../src/columns/image.ts';
import { NONE } from '../../src/model/key.ts';
import { check } from '../support/long.ts';

/** Short strings over few letters of one to four UTF-8 bytes each, so that many are similar. */
const id = fc
  .array(fc.constantFrom('a', 'b', '0', 'é', '日', '😀', '\0', 'e\u0301'), { minLength: 1, maxLength: 5 })
  .map((letters) => letters.join(''));

describe('Dictionary', () => {
  test('a dictionary agrees with a map after any additions and removals', () => {
    const rarely = fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0);
    const operation = fc.record({ id, remove: rarely, release: fc.boolean() });
    check(60, [fc.array(operation, { maxLength: 300, size: 'max' })], (operations) => {
      const dictionary = new Dictionary();
      const model = new Map<string, number>();
      let given = 0;
      const released: number[] = [];
      for (const { id, remove, release } of operations) {
        const known = model.get(id);
        expect(dictionary.find(id)).toBe(known ?? NONE);
        if (remove && known !== undefined) {
          dictionary.remove(known);
          model.delete(id);
          expect(dictionary.id(known)).toBe('');
          expect(dictionary.find(id)).toBe(NONE);
          if (!release) continue;
          dictionary.release(known);
          released.push(known);
        } else if (known === undefined) {
          const next = released.pop() ?? given++;
          expect(dictionary.intern(id)).toBe(next);
          model.set(id, next);
        } else expect(dictionary.intern(id)).toBe(known);
      }
      expect([dictionary.size, dictionary.released]).toEqual([given, released.length]);
      for (const [id, ordinal] of model) {
        expect(dictionary.find(id)).toBe(ordinal);
        expect(dictionary.id(ordinal)).toBe(id);
      }
    });
  });

  test('a dictionary compares the start of its strings as text does', () => {
    check(100, [fc.uniqueArray(id, { maxLength: 30 }), id], (ids, prefix) => {
      const dictionary = new Dictionary();
      const bytes = new TextEncoder().encode(prefix);
      for (const each of ids) dictionary.intern(each);
      for (const [ordinal, each] of ids.entries())
        expect(dictionary.startsWith(ordinal, bytes)).toBe(each.startsWith(prefix));
      if (ids.length === 0) return;
      dictionary.remove(0);
      expect(dictionary.startsWith(0, new Uint8Array())).toBe(false);
    });
  });

  test('a dictionary distinguishes 100,000 identifiers, through growth and after half of them are removed', () => {
    const dictionary = new Dictionary();
    const idOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
    let wrong = 0;
    for (let index = 0; index < 100_000; index++) if (dictionary.intern(idOf(index)) !== index) wrong++;
    for (let index = 0; index < 100_000; index += 2) dictionary.remove(index);
    for (let index = 0; index < 100_000; index++) {
      if (dictionary.find(idOf(index)) !== (index % 2 === 0 ? NONE : index)) wrong++;
      if (dictionary.id(index) !== (index % 2 === 0 ? '' : idOf(index))) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('a dictionary gives a removed identifier a new ordinal when it returns', () => {
    const dictionary = new Dictionary();
    for (let round = 0; round < 1000; round++) {
      expect(dictionary.intern('again')).toBe(round);
      dictionary.remove(round);
    }
    expect(dictionary.find('again')).toBe(NONE);
  });

  test('a dictionary stores identifiers of the maximum length, even with three bytes per character', () => {
    const dictionary = new Dictionary();
    const long = ['日'.repeat(2048), 'a'.repeat(2048), `${'日'.repeat(2047)}本`, 'é'];
    for (const [ordinal, id] of long.entries()) expect(dictionary.intern(id)).toBe(ordinal);
    for (const [ordinal, id] of long.entries()) {
      expect(dictionary.find(id)).toBe(ordinal);
      expect(dictionary.id(ordinal)).toBe(id);
    }
  });

  test('a dictionary does not fold case, normalise, trim or cut at NUL', () => {
    const dictionary = new Dictionary();
    const alike = ['a', 'A', ' a', 'a ', 'a\0', 'é', 'e\u0301', '１', '1'];
    for (const [ordinal, id] of alike.entries()) expect(dictionary.intern(id)).toBe(ordinal);
    expect(alike.map((id) => dictionary.find(id))).toEqual(alike.map((_, ordinal) => ordinal));
  });

  test('a dictionary does not contain the empty string', () => {
    const dictionary = new Dictionary();
    expect(dictionary.find('')).toBe(NONE);
    dictionary.remove(dictionary.intern('gone'));
    expect(dictionary.find('')).toBe(NONE);
  });

  test('a dictionary keeps its size while identifiers come and go', () => {
    const dictionary = new Dictionary();
    const idOf = (index: number) => `item ${index} ${'x'.repeat((index * 7) % 40)}`;
    let next = 0;
    const turnOver = () => {
      for (let turned = 0; turned < 1000; turned++, next++) {
        const oldest = next < 1000 ? NONE : dictionary.find(idOf(next - 1000));
        if (oldest !== NONE) dictionary.remove(oldest);
        if (oldest !== NONE) dictionary.release(oldest);
        dictionary.intern(idOf(next));
      }
      return imageOf(dictionary).columns.map(({ length }) => length);
    };
    turnOver();
    const sizes = turnOver();
    for (let round = 0; round < 10; round++) expect(turnOver()).toEqual(sizes);
    expect(dictionary.size).toBe(1000);
    for (let index = next - 1000; index < next; index++) {
      expect(dictionary.id(dictionary.find(idOf(index)))).toBe(idOf(index));
    }
    expect(dictionary.find(idOf(next - 1001))).toBe(NONE);
  });
});

test('a dictionary orders strings by code unit, for any characters', () => {
  // Beyond the 16-bit plane the order of bytes and the order of code units differ.
  const letters = fc.constantFrom('a', 'b', 'é', '語', '\uff5e', '\u{1f600}', '\u{10ffff}');
  const strings = fc.uniqueArray(fc.string({ unit: letters, minLength: 1, maxLength: 4 }), { maxLength: 12 });
  check(100, [strings], (ids) => {
    const dictionary = new Dictionary();
    for (const id of ids) dictionary.intern(id);
    for (const [one, id] of ids.entries()) {
      for (const [other, that] of ids.entries()) {
        expect(Math.sign(dictionary.compare(one, other))).toBe(id === that ? 0 : id < that ? -1 : 1);
      }
    }
  });
});
