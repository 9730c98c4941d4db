import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Decoder } from '../../src/rows/encodings.ts';
import { LINE_BYTES_MAX, type Line, LineCutter, UnreadableLine } from '../../src/rows/lines.ts';
import { check } from '../support/long.ts';

/** The lines of bytes that arrive in pieces of these lengths. The last length repeats. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Line[] {
  const cutter = new LineCutter(new Decoder([]));
  const lines: Line[] = [];
  let at = 0;
  for (let piece = 0; at < bytes.length; piece++) {
    const length = lengths[Math.min(piece, lengths.length - 1)];
    lines.push(...cutter.push(bytes.subarray(at, at + length)));
    at += length;
  }
  return [...lines, ...cutter.end()];
}

function reasons(lines: readonly Line[]): string[] {
  return lines.map((line) => (line instanceof UnreadableLine ? line.reason : line.slice(0, 5)));
}

describe('bytes are split into lines', () => {
  test('in the same way for any pieces', () => {
    const unit = fc.constantFrom('a', '\n', '\r', 'é', '\u{1f600}', '\ufeff');
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    check(100, [fc.string({ unit, maxLength: 40 }), lengths], (text, pieces) => {
      const expected = text.split('\n');
      if (text === '' || text.endsWith('\n')) expected.pop();
      expect(cut(new TextEncoder().encode(text), pieces)).toEqual(expected);
    });
  });

  test.each([1, 3, 1000])('with a line of broken UTF-8 reported on its own, in pieces of %d', (length) => {
    const bytes = new Uint8Array([97, 10, 98, 0xff, 10, 99, 10, 0xe2, 0x82]);
    expect(reasons(cut(bytes, [length]))).toEqual([
      'a',
      'the line is not valid UTF-8',
      'c',
      'the line is not valid UTF-8',
    ]);
  });

  test.each([1_000, 300_000, 10_000_000])(
    'with a line that is too long left out, in pieces of %d',
    (length) => {
      const long = 'x'.repeat(LINE_BYTES_MAX + 1);
      const longest = 'y'.repeat(LINE_BYTES_MAX);
      const bytes = new TextEncoder().encode(`a\n${long}\nb\n${longest}\n${long}`);
      const too_long = `the line is longer than ${LINE_BYTES_MAX} bytes`;
      const lines = cut(bytes, [length]);
      expect(reasons(lines)).toEqual(['a', too_long, 'b', 'yyyyy', too_long]);
      expect(lines[3]).toHaveLength(LINE_BYTES_MAX);
    },
  );

  test('the length limit counts bytes, not characters', () => {
    const line = 'é'.repeat(LINE_BYTES_MAX / 2 + 1);
    const lines = cut(new TextEncoder().encode(`${line}\n`), [10_000_000]);
    expect(lines[0]).toBeInstanceOf(UnreadableLine);
  });
});
