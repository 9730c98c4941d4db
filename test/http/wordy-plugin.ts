import { defineFilter, definePlugin, parseWordEntries, Type } from 'feedloom/plugin';

/** A third-party plugin that reads the words of items. */
export default definePlugin({
  meta: { name: 'wordy', version: '1.0.0', api: 2 },
  filters: {
    'wordy/about': defineFilter({
      summary: 'Items about something, by any word that begins like it.',
      kind: 'inclusion',
      reads: ['words'],
      depends_on: 'content',
      options: Type.String({ minLength: 3 }),
      compile: (topic) => {
        const lists = parseWordEntries([`${topic}*`]);
        return (request) => request.item.words(lists);
      },
    }),
  },
});
