import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonBytes, type JsonText, pieceOf } from '../../src/feed/json-bytes.ts';
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
      expect(decoder.decode(out.take().bytes)).toBe(
        numbers.map((value) => `${JSON.stringify(value)} `).join(''),
      );
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
      expect(taken.every(({ bytes }, at) => decoder.decode(bytes) === expected[at])).toBe(true);
    }),
  );
});

test('numbers are written as JSON writes them, the same again too', () => {
  const out = new JsonBytes();
  const edges = [0, 1, 2, 9.999999999999998, 10, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.5, 0.25, 2 ** -14];
  const others = [Number.MIN_VALUE, Number.MAX_VALUE, -1.2345678901234568e-300, 1e21, 1 / 3];
  const share = fc.nat(1_000_000).map((acts) => acts / (acts + 20));
  const short = fc.tuple(fc.nat(10 ** 6), fc.nat(10)).map(([digits, places]) => digits / 10 ** places);
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const usual = fc.double({ min: 1e-6, max: 12, noNaN: true });
  const number = fc.oneof(fc.constantFrom(...edges, ...others), share, short, finite, usual);
  fc.assert(
    fc.property(fc.array(number, { maxLength: 30 }), (numbers) => {
      out.begin();
      for (const value of numbers) {
        out.number(value);
        out.put(pieceOf(','));
        out.number(value);
        out.put(pieceOf(' '));
      }
      const said = numbers.map((value) => JSON.stringify(value)).map((text) => `${text},${text} `);
      const text = out.take();
      // `JSON.stringify` says 0 of -0, which no score is.
      expect(decoder.decode(text.bytes)).toBe(said.join(''));
      text.release();
    }),
    { numRuns: 300 },
  );
});

test('memory is written again when the texts in it are let go, in whatever order, and not before', () => {
  const step = fc.record({ length: fc.oneof(fc.nat(200), fc.nat(300_000)), release: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const out = new JsonBytes();
      const held: { text: JsonText; said: string }[] = [];
      for (const [number, { length, release }] of steps.entries()) {
        const said = String(number).padEnd(length, String(number % 10));
        out.begin();
        out.put(pieceOf(said));
        held.push({ text: out.take(), said });
        for (const { text, said } of held) if (decoder.decode(text.bytes) !== said) throw new Error(said);
        if (release < held.length) for (const { text } of held.splice(release)) text.release();
      }
    }),
  );
  const out = new JsonBytes();
  const buffers = new Set<ArrayBufferLike>();
  for (let number = 0; number < 5_000; number++) {
    out.begin();
    out.put(pieceOf('x'.repeat(2_000)));
    const text = out.take();
    buffers.add(text.bytes.buffer);
    text.release();
    // Once more does nothing.
    text.release();
  }
  expect(buffers.size).toBe(1);
});

test('a response has a copy of its bytes', async () => {
  const bytes = new TextEncoder().encode('{"as":"it was"}');
  const response = new Response(bytes);
  bytes.fill(0x20);
  expect(await response.text()).toBe('{"as":"it was"}');
});
