import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { bytesOf, JsonBytes } from '../../src/feed/json-bytes.ts';
import { Names } from '../../src/state/names.ts';

const decoder = new TextDecoder();

test('whole numbers are written as JSON writes them', () => {
  const out = new JsonBytes();
  const edges = [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 4_294_967_289, 2 ** 32 - 1];
  const number = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 20 }), (numbers) => {
      out.clear();
      for (const value of numbers) {
        out.integer(value);
        out.put(bytesOf(' '));
      }
      expect(decoder.decode(out.take())).toBe(numbers.map((value) => `${JSON.stringify(value)} `).join(''));
    }),
  );
});

test('names are written as JSON writes them, and pieces of any length', () => {
  const letter = fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', ' ', '\u007f', '\u2028', 'é', '😀'),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  const name = fc
    .string({ unit: letter, minLength: 1, maxLength: 120 })
    .filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.nat(40_000)), { maxLength: 6 }), (drawn) => {
      const names = new Names();
      const out = new JsonBytes();
      let expected = '';
      for (const [key, [text, length]] of drawn.entries()) {
        const known = names.find(text);
        out.name(names, known === -1 ? names.add(key, text) : known);
        out.put(bytesOf('x'.repeat(length)));
        expected += JSON.stringify(text) + 'x'.repeat(length);
      }
      const taken = out.take();
      expect(decoder.decode(taken) === expected).toBe(true);
      out.clear();
      out.put(bytesOf('other'));
      // What was taken is a copy.
      expect(decoder.decode(taken) === expected).toBe(true);
    }),
  );
});
