/**
 * acme/verified_authors: a filter that keeps items of authors whose profile says `metadata.verified: true`. With
 * `{"or_followed": true}` also those of anybody whom the viewer follows.
 */
import { defineFilter, definePlugin, Type } from 'feedloom/plugin';

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  filters: {
    'acme/verified_authors': defineFilter({
      summary: 'Only items of verified authors.',
      kind: 'inclusion',
      reads: ['user.metadata.verified'],
      options: Type.Object(
        {
          or_followed: Type.Boolean({
            default: false,
            description: 'true to keep what followed people post, too',
          }),
        },
        { additionalProperties: false },
      ),
      compile:
        ({ or_followed }) =>
        (request) => {
          const followed = new Set(or_followed ? request.user.following(request.viewer.user) : []);
          return (item) => {
            const author = request.item.author(item);
            return request.user.field(author, 'metadata.verified') === true || followed.has(author);
          };
        },
    }),
  },
});
