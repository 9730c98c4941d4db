import { defineFilter, NONE, Type } from 'feedloom/plugin';

/** Only items of the given channels, named by their URLs exactly as ingested. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content from the given channels.',
  kind: 'inclusion',
  options: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
    description: 'a list of channel URLs',
    examples: [['https://example.community/channel/music']],
  }),
  compile(channels) {
    if (channels.length === 0) return () => () => true;
    return (request) => {
      const codes = new Set(channels.map((channel) => request.channel_code(channel)));
      codes.delete(NONE);
      return (item) => codes.has(request.channel(item));
    };
  },
  postings(channels) {
    if (channels.length === 0) return undefined;
    return (request) => ({
      column: 'channel',
      values: channels.map((channel) => request.channel_code(channel)).filter((code) => code !== NONE),
    });
  },
});
