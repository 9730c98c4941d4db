import { anyOf, defineFilter, postingsOf, Type } from 'feedloom/plugin';

/** Only items of the given channels, named by their URLs exactly as ingested. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content from the given channels.',
  depends_on: () => 'content',
  kind: 'inclusion',
  options: Type.Array(Type.String({ minLength: 1, maxLength: 2048, description: 'a channel URL' }), {
    description: 'a list of channel URLs',
    examples: [['https://example.community/channel/music']],
  }),
  compile: (channels) => anyOf('channel', channels),
  postings: (channels) => postingsOf('channel', channels),
});
