import { anyOf, defineFilter, listOf, postingsOf, Type, valuesNamed } from 'feedloom/plugin';

/** Keeps items of the given channels. A channel URL must equal the ingested URL exactly. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content from the given channels.',
  depends_on: 'content',
  kind: 'inclusion',
  options: listOf(
    Type.String({ minLength: 1, maxLength: 2048, description: 'a channel URL of 1 to 2,048 characters' }),
    'channel URLs',
    ['https://example.community/channel/music'],
  ),
  compile: (channels) => anyOf('channel', channels),
  postings: (channels) => postingsOf('channel', channels),
  named_values: (channels) => valuesNamed('channel', channels),
});
