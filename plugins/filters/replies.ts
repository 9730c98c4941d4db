import { defineFilter, Type } from 'feedloom/plugin';

/** Only replies, or none of them: what answers another item, by its `parent_item_id`. Without it both are kept. */
export default defineFilter({
  summary: 'Only replies to other items, or everything but replies.',
  depends_on: () => 'content',
  kind: 'inclusion',
  options: Type.Union([Type.Literal('only'), Type.Literal('exclude')], {
    description: 'only, or exclude',
    examples: ['exclude'],
  }),
  compile(which) {
    const wanted = which === 'only';
    return (request) => (item) => request.is_reply(item) === wanted;
  },
});
