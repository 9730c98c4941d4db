import { defineFilter, Type } from 'feedloom/plugin';

/** Keeps only replies, or drops all replies. An item with a `parent_item_id` is a reply. */
export default defineFilter({
  summary: 'Only replies to other items, or everything but replies.',
  depends_on: 'content',
  kind: 'inclusion',
  options: Type.Union([Type.Literal('only'), Type.Literal('exclude')], {
    description: 'only, or exclude',
    examples: ['exclude'],
  }),
  compile(which) {
    const wanted = which === 'only';
    return (request) => (item) => request.item.is_reply(item) === wanted;
  },
});
