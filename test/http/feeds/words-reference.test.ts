import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseWordEntry } from '../../../src/plugin/word-entries.ts';
import { tagOf } from '../../../src/plugin/words.ts';
import { checkAsync } from '../../support/long.ts';
import { forFile } from '../../support/service.ts';
import { anyEntry, anyTexts, matchesEntry } from '../../support/words.ts';
import { openCommunity } from '../support.ts';

const POSTS = 400;
const RUNS = 150;

const community = await forFile(openCommunity());
/** Texts in ten scripts. */
const posts = fc
  .sample(anyTexts, { numRuns: POSTS, seed: 16 })
  // A tag without a name is dropped when it is ingested.
  .map((texts) => ({ ...texts, tags: texts.tags.filter((tag) => tagOf(tag) !== undefined) }))
  .map((texts, index) => ({ ...texts, item_id: `item ${index}` }));
await community.add(
  'items',
  ...posts.map((post) => ({ ...post, author_id: 'author', created_at: community.now })),
);

const entry = anyEntry.filter((text) => {
  try {
    return parseWordEntry(text) !== undefined;
  } catch {
    return false;
  }
});
const entries = fc.array(fc.oneof(entry, fc.array(entry, { minLength: 1, maxLength: 3 })), {
  minLength: 1,
  maxLength: 5,
});

test('filters by words keep and drop exactly the items that a naive search finds, in ten scripts', async () => {
  await checkAsync(RUNS, [entries, fc.boolean()], async (lists, keeps) => {
    const expected = posts.filter((post) => {
      const found = lists.some((list) => [list].flat().every((each) => matchesEntry(post, each)));
      return found === keeps;
    });
    const filters = keeps ? { words: lists } : { remove_words: lists };
    const shown = await community.ids('popular', { filters, top_k: 1000 });
    expect(shown.sort()).toEqual(expected.map(({ item_id }) => item_id).sort());
  });
});
