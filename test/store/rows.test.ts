import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { restoredText, storableText } from '../../src/model/storable-text.ts';
import { check } from '../support/long.ts';

describe('storable text', () => {
  test('is well-formed without NUL, and restores to the original text', () => {
    const units = fc.array(fc.oneof(fc.constantFrom(0, 0x1a, 0xd83d, 0xde00), fc.nat(0xffff)));
    check(100, [units], (codes) => {
      const text = String.fromCharCode(...codes);
      const kept = storableText(text);
      expect(kept.isWellFormed() && !kept.includes('\0')).toBe(true);
      expect(restoredText(kept)).toBe(text);
    });
  });

  test('equals the text in all usual cases', () => {
    for (const text of ['', '0xabc', 'Zoë 😀', '\ufeffmark']) expect(storableText(text)).toBe(text);
  });

  test('keeps different texts different', () => {
    expect(storableText('\0')).not.toBe(storableText('\u001a0000'));
  });
});
