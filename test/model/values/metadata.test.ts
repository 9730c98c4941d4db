import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/limits.ts';
import { METADATA_DEPTH_MAX, metadata } from '../../../src/model/values/metadata.ts';
import { Refusal } from '../../../src/model/values/refusal.ts';
import { check } from '../../support/long.ts';
import { outcome } from '../records/support.ts';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value];
  return { top: value };
}

/** An object of exactly `bytes` bytes as JSON. */
function sized(bytes: number, character: string): Record<string, unknown> {
  const rest = bytes - '{"a":""}'.length;
  const each = Buffer.byteLength(JSON.stringify(character)) - 2;
  return { a: character.repeat(Math.floor(rest / each)) + 'x'.repeat(rest % each) };
}

describe('metadata', () => {
  test('is the same object that was given', () => {
    const given = { price: 12, tags: ['a', null, { b: true }], name: 'é' };
    expect(metadata(given)).toBe(given);
  });

  test('keeps keys like __proto__ as ordinary keys', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":1}';
    expect(JSON.stringify(metadata(JSON.parse(text)))).toBe(text);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([[[]], ['text'], [7], [true]])('%j is refused: only an object is metadata', (value) => {
    expect(outcome(metadata, value)).toEqual({ refused: expect.stringContaining('a JSON object') });
  });

  test.each([
    ['undefined', { a: undefined }],
    ['a function', { toJSON: () => 1 }],
    ['a big integer', { a: [1n] }],
    ['not a number', { a: Number.NaN }],
    ['an instance of a class', { a: new Map() }],
  ])('%s in it is refused', (_, value) => {
    expect(outcome(metadata, value)).toEqual({ refused: 'expected JSON values only' });
  });

  test.each(['1e400', '-1e400'])('a number that is too large, %s, is refused as such', (number) => {
    const value = JSON.parse(`{"a":[${number}]}`);
    expect(outcome(metadata, value)).toEqual({ refused: 'expected numbers below 1.8e308' });
  });

  test('is limited to 32 levels, also for very deep objects', () => {
    const deepest = nested(METADATA_DEPTH_MAX - 1) as Record<string, unknown>;
    expect(metadata(deepest)).toBe(deepest);
    for (const levels of [METADATA_DEPTH_MAX, 100_000]) {
      expect(outcome(metadata, nested(levels))).toEqual({ refused: expect.stringContaining('32 levels') });
    }
  });

  test('that contains itself many times is refused quickly', () => {
    const cyclic: Record<string, unknown> = {};
    for (let index = 0; index < 50; index++) cyclic[index] = cyclic;
    expect(metadata(cyclic)).toBeInstanceOf(Refusal);
  });

  test.each(['x', 'é', '"', '\0', '日', '🎉'])('of %j is limited to the byte', (character) => {
    const largest = sized(LIMITS.metadata_bytes_max, character);
    expect(metadata(largest)).toBe(largest);
    const larger = sized(LIMITS.metadata_bytes_max + 1, character);
    expect(outcome(metadata, larger)).toEqual({ refused: expect.stringContaining('65536 bytes') });
  });

  test('is accepted exactly when its JSON fits', () => {
    const grown = fc.tuple(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
      fc.integer({ min: 0, max: 70_000 }),
    );
    check(100, [grown], ([fields, padding]) => {
      const value = { ...fields, padding: 'x'.repeat(padding) };
      const fits = Buffer.byteLength(JSON.stringify(value)) <= LIMITS.metadata_bytes_max;
      return !(metadata(value) instanceof Refusal) === fits;
    });
  });
});
