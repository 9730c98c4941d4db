/**
 * acme/keywords: a filter that keeps, or drops, items whose text contains one of some words. Whole words,
 * upper and lower case alike; `{"words": ["chess"], "mode": "drop"}`.
 */
import { defineFilter, definePlugin, Type } from 'feedloom/plugin';

/** What continues a word: letters, marks and digits of any script. */
const PART_OF_WORD = '[\\p{L}\\p{M}\\p{N}_]';

function containing(words: readonly string[]): RegExp {
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return new RegExp(`(?<!${PART_OF_WORD})(?:${any})(?!${PART_OF_WORD})`, 'iu');
}

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  filters: {
    'acme/keywords': defineFilter({
      summary: 'Keeps or drops items whose text contains one of some words.',
      kind: 'inclusion',
      reads: ['item.text'],
      options: Type.Object(
        {
          words: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
          mode: Type.Union([Type.Literal('keep'), Type.Literal('drop')], { default: 'keep' }),
        },
        { additionalProperties: false, examples: [{ words: ['chess', 'go'] }] },
      ),
      compile({ words, mode }) {
        const pattern = containing(words);
        const keeps = mode === 'keep';
        return (request) => (item) => pattern.test(request.item.field(item, 'text')) === keeps;
      },
    }),
  },
});
