import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import { NONE } from '../../src/plugin/index.ts';
import { parseWordEntries } from '../../src/plugin/word-entries.ts';
import { applyChange } from '../../src/state/apply.ts';
import { fillWords } from '../../src/state/fill-words.ts';
import { State } from '../../src/state/state.ts';
import { matcherOf, WordsIncomplete } from '../../src/state/word-matcher.ts';
import { check, checkAsync } from '../support/long.ts';
import { ITEM_IDS, RECYCLING, randomChanges } from '../support/random-changes.ts';

const RUNS = 60;

const TEXTS = [
  '',
  'late night jazz',
  'Jazz of the night #vinyl',
  'a synth and synths',
  'LATE, night',
  '東京都の夜',
];
const LISTS = parseWordEntries([
  'jazz',
  'late night',
  'synt*',
  '#vinyl',
  ['night', 'syn*'],
  '東京',
  '夜',
  'nowhere',
]).map((list) => [list]);

/** Changes whose items have texts, derived from the number of the change. */
function withTexts(changes: readonly Change[]): Change[] {
  return changes.map((change) => {
    if (change.kind !== 'item') return change;
    const [text, next] = [TEXTS[change.seq % TEXTS.length], TEXTS[(3 * change.seq + 1) % TEXTS.length]];
    return { ...change, content: { ...change.content, text, link_titles: [next] } } as Change;
  });
}

/** A state that holds words from its first change. */
function stateWithWords(): State {
  const state = new State();
  state.words.turnOn();
  state.words.finish();
  return state;
}

/** Which lists each item matches, and whether it has words. */
function matchesOf(state: State): object {
  const tests = LISTS.map((lists) => matcherOf(state.words, lists).bind());
  return ITEM_IDS.map((id) => {
    const item = state.items.names.find(id);
    return item === NONE
      ? undefined
      : [id, state.words.numbersOf(item).length > 0, ...tests.map((test) => test(item))];
  });
}

/** Applies all changes from the first `at` on while the words of the state are filled in, a few at each step. */
async function filledFrom(changes: readonly Change[], at: number): Promise<State> {
  const state = new State();
  for (const change of changes.slice(0, at)) applyChange(state, change);
  const left = changes.slice(at);
  const stored = new Map<number, ItemContent>();
  for (const change of changes) if (change.kind === 'item') stored.set(change.seq, change.content);
  const applySome = async () => {
    for (const change of left.splice(0, 4)) applyChange(state, change);
  };
  await fillWords(state, { readItems: async () => stored }, applySome);
  for (const change of left) applyChange(state, change);
  return state;
}

describe('the words of items', () => {
  test('words that are filled in amid changes match the same items as words that were held from the start', async () => {
    const changes = randomChanges(RECYCLING).map(withTexts);
    await checkAsync(RUNS, [changes, fc.nat(120)], async (changes, at) => {
      const from_start = stateWithWords();
      for (const change of changes) applyChange(from_start, change);
      const later = await filledFrom(changes, Math.min(at, changes.length));
      expect(matchesOf(later)).toEqual(matchesOf(from_start));
    });
  });

  test('an item that is removed from the store before the state knows does not end the filling', async () => {
    const state = new State();
    const items = ['kept', 'removed'].map((id, at) => state.items.names.add(at + 1, id));
    state.items.extend();
    const contents = items.map((item) => ({ created_at: 1, text: `word ${item}` }));
    for (const [at, item] of items.entries()) state.items.describe(item, NONE, contents[at], at + 1);
    const stored = { readItems: async () => new Map([[1, contents[0]]]) };
    await expect(fillWords(state, stored, async () => {})).rejects.toThrow('removed is missing');
    await fillWords(state, stored, async () => state.items.delete(items[1]));
    expect([state.words.is_complete, ...items.map((item) => state.words.numbersOf(item).length > 0)]).toEqual(
      [true, true, false],
    );
  });

  test('a matcher that is used amid changes decides as a new one does', () => {
    check(RUNS, [randomChanges(RECYCLING).map(withTexts)], (changes) => {
      const state = stateWithWords();
      const lists = LISTS.flat();
      for (const [index, change] of changes.entries()) {
        applyChange(state, change);
        if (index % 7 === 0) state.forgetUnused();
        const matches = matcherOf(state.words, lists).bind();
        const anew = matcherOf(state.words, [...lists]).bind();
        for (let item = 0; item < state.items.size; item++) expect(matches(item)).toBe(anew(item));
      }
    });
  });

  test('a word that no item has any more is forgotten', () => {
    const state = stateWithWords();
    state.words.describeItem(0, { created_at: 1, text: 'a secret word' });
    state.words.describeItem(1, { created_at: 1, text: 'a word' });
    state.words.forgetItem(0);
    state.forgetUnused();
    expect(state.words.find('secret')).toBe(NONE);
    expect(state.words.find('word')).not.toBe(NONE);
    expect(state.words.count).toBe(2);
  });

  test('edits of an item do not fill the memory with words that no item has any more', () => {
    const state = stateWithWords();
    state.words.describeItem(1, { created_at: 1, text: 'stays' });
    for (let edit = 0; edit < 300; edit++) {
      const words = Array.from({ length: 100 }, (_, at) => `w${edit}x${at}`);
      state.words.describeItem(0, { created_at: 1, text: words.join(' ') });
    }
    expect(state.words.count).toBeLessThan(6_000);
    const lists = parseWordEntries(['w299x7', 'stays', 'w298*']).map((list) => [list]);
    const [latest, other, former] = lists.map((each) => matcherOf(state.words, each).bind());
    expect([latest(0), latest(1), other(0), other(1), former(0)]).toEqual([true, false, false, true, false]);
  });

  test('words with the same first letters are forgotten about as fast as others', () => {
    const time = (wordOf: (number: number) => string): number => {
      const { words } = stateWithWords();
      const texts = Array.from({ length: 400 }, (_, item) =>
        Array.from({ length: 100 }, (_, at) => wordOf(100 * item + at)).join(' '),
      );
      for (const [item, text] of texts.entries()) words.describeItem(item, { created_at: 1, text });
      const { user } = process.cpuUsage();
      for (const item of texts.keys()) words.forgetItem(item);
      words.forgetUnused();
      expect(words.count).toBe(0);
      return process.cpuUsage().user - user;
    };
    const mixed = time((number) => [...`${number + 100_000}`].reverse().join('x'));
    expect(time((number) => `same${number}`)).toBeLessThan(8 * mixed + 50_000);
  });

  test('no words are held before something wants them', () => {
    const state = new State();
    state.words.describeItem(0, { created_at: 1, text: 'jazz' });
    expect([state.words.numbersOf(0).length > 0, state.words.count, state.words.size_bytes]).toEqual([
      false,
      0,
      0,
    ]);
    expect(() => matcherOf(state.words, LISTS[0])).toThrow(WordsIncomplete);
    expect(state.words.is_wanted).toBe(true);
  });
});
