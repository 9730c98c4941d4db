import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { printable, printableLines } from '../src/printable.ts';
import { check } from './support/long.ts';

test.each([
  ['a colour', '\u001b[31mred', '\\u001b[31mred'],
  ['a control of eight bits', '\u009b2J', '\\u009b2J'],
  ['a line feed', 'a\nb\rc', 'a\\u000ab\\u000dc'],
  ['a turned direction', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
  ['an isolated direction', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['separators of lines and paragraphs', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['half a character', '\ud83da', '\\ud83da'],
  ['an invisible tag', '\u{e0041}', '\\udb40\\udc41'],
  ['DEL and NUL', '\u007f\u0000', '\\u007f\\u0000'],
])('%s is escaped', (_, value, shown) => {
  expect(printable(value)).toBe(shown);
});

test('letters, accents, right-to-left scripts and emoji stay as they are', () => {
  const text = "Grüße, שלום, مرحبا, हिन्दी, 日本語, 👩‍👩‍👧, न्‍य, 'quotes' and \\backslashes";
  expect([printable(text), printableLines(text)]).toEqual([text, text]);
});

test('whole lines keep their ends and tabs', () => {
  expect(printableLines('a\tb\n\u001b[2Jc\n')).toBe('a\tb\n\\u001b[2Jc\n');
});

test('JSON stays the same JSON', () => {
  check(100, [fc.jsonValue(), fc.string({ unit: 'binary' })], (value, text) => {
    const json = JSON.stringify({ value, [text]: text }, undefined, 2);
    expect(JSON.parse(printableLines(json))).toEqual(JSON.parse(json));
  });
});
