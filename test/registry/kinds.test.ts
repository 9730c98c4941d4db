import { expect, test } from 'bun:test';
import { KIND_DATA, KINDS } from '../../src/registry/kinds.ts';

test('each kind has a template, and no two templates have the same word', () => {
  const words = KINDS.map((kind) => Object.keys(KIND_DATA[kind].templates));
  expect(words.every((own) => own.length > 0)).toBe(true);
  expect(new Set(words.flat()).size).toBe(words.flat().length);
});
