import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { InvalidOptions } from '../../src/plugin/invalid-options.ts';
import { parseWordEntry, type WordEntry } from '../../src/plugin/word-entries.ts';
import { itemWords } from '../../src/state/item-words.ts';
import { check, times } from '../support/long.ts';
import { anyEntry, anyTexts, matchesEntry } from '../support/words.ts';

/** Whether the words of an entry follow one another in one of the lists. */
function matches(lists: string[][], { kind, words }: WordEntry): boolean {
  const isWord = (word: string | undefined, index: number): boolean =>
    kind === 'prefix' && index === words.length - 1
      ? word?.startsWith(words[index]) === true
      : word === words[index];
  return lists.some((list) =>
    list.some((_, start) => words.every((_word, index) => isWord(list[start + index], index))),
  );
}

function parsed(entry: string): WordEntry | undefined {
  try {
    return parseWordEntry(entry);
  } catch (error) {
    if (error instanceof InvalidOptions) return undefined;
    throw error;
  }
}

describe('the words of an item', () => {
  const created_at = 1;

  test('are apart for its text, each tag, each title and each description', () => {
    const content = {
      created_at,
      text: 'Out today! #new',
      tags: ['Hip hop'],
      link_titles: ['Late night', ''],
      alt_texts: ['A cat'],
    };
    expect(itemWords(content)).toEqual([
      ['out', 'today', 'new'],
      ['late', 'night'],
      ['a', 'cat'],
      ['#hip hop', 'hip', 'hop'],
    ]);
  });

  test('are the emoji of a tag that is the emoji of a number sign', () => {
    const keycap = '#\ufe0f\u20e3';
    const lists = itemWords({ created_at, tags: [keycap, '#'] });
    expect(matches(lists, parseWordEntry(keycap))).toBe(true);
    expect(lists).toHaveLength(1);
  });

  test('have the tags in the text if it has no others, also of HTML', () => {
    const html = { created_at, text: '<a>#Vinyl</a>', plain_text: '#Vinyl', text_format: 'html' } as const;
    for (const content of [html, { created_at, text: '#Vinyl', tags: [] }])
      expect(itemWords(content)).toEqual([['vinyl'], ['#vinyl']]);
    expect(itemWords({ created_at })).toEqual([]);
  });

  test('match an entry exactly where a slow reading of the texts does', () => {
    let found = 0;
    const valid = anyEntry.filter((entry) => parsed(entry) !== undefined);
    check(times(300), [anyTexts, fc.array(valid, { minLength: 1, maxLength: 8 })], (texts, entries) => {
      const lists = itemWords({ created_at, ...texts });
      for (const entry of entries) {
        const is_match = matches(lists, parseWordEntry(entry));
        if (is_match) found++;
        expect({ entry, is_match }).toEqual({ entry, is_match: matchesEntry(texts, entry) });
      }
    });
    expect(found).toBeGreaterThan(20);
  });
});
