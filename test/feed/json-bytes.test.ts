import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonBytes, pieceOf } from '../../src/feed/json-bytes.ts';
import { Names } from '../../src/state/names.ts';

const decoder = new TextDecoder();

test('whole numbers are written as JSON writes them', () => {
  const out = new JsonBytes();
  const edges = [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 4_294_967_289, 2 ** 32 - 1];
  const number = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 20 }), (numbers) => {
      out.begin();
      for (const value of numbers) {
        out.integer(value);
        out.put(pieceOf(' '));
      }
      expect(decoder.decode(out.take())).toBe(numbers.map((value) => `${JSON.stringify(value)} `).join(''));
    }),
  );
});

test('names are written as JSON writes them, and pieces of any length, and texts stay as they were taken', () => {
  const letter = fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', ' ', '\u007f', '\u2028', 'é', '😀'),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  const name = fc
    .string({ unit: letter, minLength: 1, maxLength: 120 })
    .filter((text) => text.isWellFormed());
  const piece = fc.oneof(fc.nat(80), fc.nat(40_000), fc.nat(400_000));
  const text = fc.array(fc.tuple(name, piece), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const names = new Names();
      const out = new JsonBytes();
      const expected: string[] = [];
      const taken = texts.map((drawn) => {
        let said = '';
        out.begin();
        for (const [id, length] of drawn) {
          const known = names.find(id);
          out.name(names, known === -1 ? names.add(names.next_key, id) : known);
          out.put(pieceOf('x'.repeat(length)));
          said += JSON.stringify(id) + 'x'.repeat(length);
        }
        expected.push(said);
        return out.take();
      });
      expect(taken.every((bytes, at) => decoder.decode(bytes) === expected[at])).toBe(true);
    }),
  );
});
