import { defineFilter, parseWordEntries, WordEntries } from 'feedloom/plugin';

/** Keeps items with at least one of the words, phrases, beginnings of words or hashtags, or with all of a list. */
export default defineFilter({
  summary: 'Only content with at least one of the given words, phrases or hashtags, or with all of a list.',
  depends_on: 'content',
  reads: ['words'],
  kind: 'inclusion',
  options: WordEntries,
  compile: (entries) => {
    const lists = parseWordEntries(entries);
    return (request) => (lists.length === 0 ? () => true : request.item.words(lists));
  },
});
