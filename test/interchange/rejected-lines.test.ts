import { describe, expect, test } from 'bun:test';
import { csv, token } from '../alpha/support.ts';
import { type Files, itemsOf, jsonl, withImported } from './support.ts';

const ACTS = 'user_id,item_id,event_type,timestamp\n';
const LIKES = { 'interactions.csv': `${ACTS}u,s1,like,1790000100\nu,other,like,1790000200\n` };
const SPAM = { item_id: 's1', author_id: 'b', created_at: 1_790_000_000, text: 'spam', hidden: true };
/** A time in the wrong unit, which rejects any line. */
const BAD = { created_at: 1_790_000_000_000 };

/** The items that can be shown after an import. */
function shownItems(files: Files): Promise<string[]> {
  return withImported(files, async (opened) => itemsOf(opened, (state, item) => state.live(item)).toSorted());
}

describe('an item whose line was rejected is not published by acts on it', () => {
  const broken = JSON.stringify(SPAM).replace('"text"', '"score":NaN,"text"');
  test.each<[string, Files]>([
    ['a hidden item', { 'items.jsonl': jsonl([{ ...SPAM, ...BAD }]) }],
    ['an item that is not hidden', { 'items.jsonl': jsonl([{ ...SPAM, ...BAD, hidden: undefined }]) }],
    ['a line without an author', { 'items.jsonl': jsonl([{ ...SPAM, author_id: undefined }]) }],
    ['a line of broken JSON', { 'items.jsonl': `${broken}\n` }],
    [
      'a line with too many levels',
      { 'items.jsonl': `${broken.replace('NaN', '['.repeat(70) + ']'.repeat(70))}\n` },
    ],
    [
      'a line that is not UTF-8',
      { 'items.jsonl': Buffer.from(`${JSON.stringify({ ...SPAM, text: 'ü' })}\n`, 'latin1') },
    ],
  ])('%s', async (_case, files) => {
    expect(await shownItems({ ...files, ...LIKES })).toEqual(['other']);
  });
});

describe('a rejected line that says hidden still hides', () => {
  const GOOD = { item_id: 's1', author_id: 'b', created_at: 1_790_000_000, text: 'spam' };
  test.each<[string, object[]]>([
    ['an item that an earlier line describes', [GOOD, { ...SPAM, ...BAD }]],
    ['an item that a later line describes', [{ ...SPAM, ...BAD }, GOOD]],
    ['an item with earlier and later lines', [GOOD, { item_id: 's1', text: 'x' }, { ...SPAM, ...BAD }]],
  ])('%s', async (_case, lines) => {
    expect(await shownItems({ 'items.jsonl': jsonl(lines), ...LIKES })).toEqual(['other']);
  });

  test('a token, and a rejected line that does not say it leaves the token shown', async () => {
    const lines = [1, 2].map((n) => ({ item_id: token(n), decimals: -1, ...(n === 1 && { hidden: true }) }));
    const events = csv([1, token(1), 'mint', 1000], [1, token(2), 'mint', 1000]);
    expect(await shownItems({ 'events.csv': events, 'tokens.jsonl': jsonl(lines) })).toEqual([token(2)]);
  });

  test('a later good line shows the item again', async () => {
    const lines = [
      { ...SPAM, ...BAD },
      { ...GOOD, hidden: false },
    ];
    expect(await shownItems({ 'items.jsonl': jsonl(lines) })).toEqual(['s1']);
  });

  test.each<[string, object]>([
    ['a user', { user_id: 'b', hidden: true, ...BAD }],
    ['a user whose hidden is a text', { user_id: 'b', hidden: 'true' }],
  ])('%s with all items', async (_case, user) => {
    const files = { 'users.jsonl': jsonl([user, { user_id: 'u' }]), 'items.jsonl': jsonl([GOOD]) };
    expect(await shownItems({ ...files, ...LIKES })).toEqual(['other']);
  });
});
