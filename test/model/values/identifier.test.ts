import { describe, expect, test } from 'bun:test';
import { identifier, walletAddress } from '../../../src/model/values/checks.ts';
import { outcome } from '../records/support.ts';

const GOOD: [string, string][] = [
  ['one character', 'a'],
  ['256 characters', 'x'.repeat(256)],
  ['256 characters beyond the basic plane', '🎉'.repeat(256)],
  ['spaces and punctuation, untouched', ' A b/~ '],
  ['a name of the language', '__proto__'],
];

const BAD: [string, unknown][] = [
  ['an empty string', ''],
  ['257 characters', 'x'.repeat(257)],
  ['257 characters beyond the basic plane', '🎉'.repeat(257)],
  ['600 characters', 'x'.repeat(600)],
  ['a NUL character', 'a\0b'],
  ['half a surrogate pair', 'a\ud83c'],
  ['a boolean', true],
  ['an object', { id: 'a' }],
  ['an array', ['a']],
];

describe('an identifier', () => {
  test.each(GOOD)('of %s is kept as it is', (_, value) => expect(identifier(value)).toBe(value));
  test.each(BAD)('is refused when it is %s', (_, value) => {
    expect(outcome<string>(identifier, value)).toEqual({
      refused: expect.stringContaining('1 to 256 characters'),
    });
  });
});

describe('an integer as an identifier', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [12, '12'],
    [-3, '-3'],
    [1e3, '1000'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('%p becomes its decimal string', (value, text) => expect(identifier(value)).toBe(text));

  test.each([2 ** 53, -(2 ** 53), 1e21])('%p is refused because it lost digits', (value) => {
    expect(outcome<string>(identifier, value)).toEqual({
      refused: expect.stringContaining('lost digits'),
    });
  });

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])('%p is refused', (value) => {
    expect(outcome<string>(identifier, value)).toEqual({
      refused: expect.stringContaining('integer'),
    });
  });

  test('is refused as a wallet address', () => {
    expect(outcome<string>(walletAddress, 12)).toEqual({
      refused: 'expected a string of 1 to 256 characters; got 12',
    });
  });
});
