import { defineFilter, parseWordEntries, WordEntries } from 'feedloom/plugin';

/** Drops items with at least one of the words, phrases, beginnings of words or hashtags, or with all of a list. */
export default defineFilter({
  summary: 'Drops content with at least one of the given words, phrases or hashtags, or with all of a list.',
  depends_on: 'content',
  reads: ['words'],
  kind: 'exclusion',
  options: WordEntries,
  compile: (entries) => {
    const lists = parseWordEntries(entries);
    return (request) => {
      if (lists.length === 0) return () => true;
      const matches = request.item.words(lists);
      return (item) => !matches(item);
    };
  },
});
