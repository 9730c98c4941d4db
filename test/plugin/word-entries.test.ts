import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { InvalidOptions } from '../../src/plugin/invalid-options.ts';
import { parseWordEntries, parseWordEntry, WordEntries } from '../../src/plugin/word-entries.ts';

function faultsOf(parse: () => unknown): readonly { path: string; message: string }[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof InvalidOptions) return error.faults;
    throw error;
  }
  return [];
}

describe('an entry', () => {
  test.each<[entry: string, kind: string, words: string[]]>([
    ['Jazz', 'word', ['jazz']],
    [' 🎷 ', 'word', ['🎷']],
    ['#️⃣', 'word', ['#⃣']],
    ['*⃣', 'word', ['*⃣']],
    ['C++', 'word', ['c++']],
    ['late  night', 'phrase', ['late', 'night']],
    ['late-night', 'phrase', ['late', 'night']],
    ['f*ck', 'phrase', ['f', 'ck']],
    ['Synth*', 'prefix', ['synth']],
    ['음악*', 'prefix', ['음악']],
    ['#Vinyl', 'tag', ['#vinyl']],
    ['＃hip-hop', 'tag', ['#hip-hop']],
    ['猫', 'prefix', ['猫']],
    ['黒猫', 'word', ['黒猫']],
    ['黒猫*', 'word', ['黒猫']],
    ['黒猫が', 'phrase', ['黒猫', '猫が']],
    ['ハハハ', 'phrase', ['ハハ', 'ハハ']],
    ['jazz 猫', 'prefix', ['jazz', '猫']],
    ['黒猫 jazz', 'phrase', ['黒猫', '猫', 'jazz']],
    ['猫 猫', 'prefix', ['猫', '猫']],
  ])('%p is a %s', (entry, kind, words) => {
    expect<unknown>(parseWordEntry(entry)).toEqual({ kind, words });
  });

  test.each<[entry: string, fault: string]>([
    ['!?', "'!?' contains no word"],
    ['*', "'*' begins with *, which may only end a word"],
    ['*jazz', "'*jazz' begins with *, which may only end a word"],
    ['late nig*', "'late nig*' is a phrase; only a single word may end with *"],
    ['sy*', "'sy*' is too short; expected at least 3 letters before *"],
    ['é́é́*', "'é́é́*' is too short; expected at least 3 letters before *"],
    ['#', "'#' is a hashtag without a name"],
    ['#vin*', "'#vin*' is a hashtag; only a word may end with *"],
  ])('%p is refused', (entry, message) => {
    expect(faultsOf(() => parseWordEntry(entry))).toEqual([{ path: '', message }]);
  });
});

describe('a list of entries', () => {
  test('is a list of alternatives, and each alternative a list of what must match', () => {
    const parsed = parseWordEntries(['jazz', ['#vinyl', 'late night']]);
    expect<unknown>(parsed).toEqual([
      [{ kind: 'word', words: ['jazz'] }],
      [
        { kind: 'tag', words: ['#vinyl'] },
        { kind: 'phrase', words: ['late', 'night'] },
      ],
    ]);
  });

  test('names the place of each fault', () => {
    const faults = faultsOf(() => parseWordEntries(['jazz', '#', ['vinyl', 'sy*']]));
    expect(faults.map(({ path }) => path)).toEqual(['/1', '/2/1']);
  });

  test('has at most 500 entries, those of lists within it counted', () => {
    const pairs = Array.from({ length: 250 }, () => ['jazz', 'vinyl']);
    expect(parseWordEntries(pairs)).toHaveLength(250);
    expect(faultsOf(() => parseWordEntries([...pairs, 'late']))).toEqual([
      { path: '', message: 'expected at most 500 entries in all lists; got 501' },
    ]);
  });

  test.each<[string, unknown, boolean]>([
    ['an empty list within it', ['jazz', []], false],
    ['a list that is two levels deep', [[['jazz']]], false],
    ['an empty text', [''], false],
    ['a text of 257 characters', ['x'.repeat(257)], false],
    ['more than 500 entries', Array.from({ length: 501 }, () => 'jazz'), false],
    ['texts and lists of texts', ['jazz', ['vinyl']], true],
  ])('%s: its schema decides', (_, entries, is_valid) => {
    expect(Value.Check(WordEntries, entries)).toBe(is_valid);
  });
});
