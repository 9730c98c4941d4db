import { Type } from '@sinclair/typebox';
import { ObjectOf, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';

/** The attributes of items, by the filters that compare them. */
export const ATTRIBUTES = {
  ai_labels: 'label',
  app_fids: 'app',
  channels: 'channel',
  embed_domains: 'domain',
  languages: 'language',
  publication_types: 'publication_type',
} as const;

export const ValuesSchema = ObjectOf('Values.', {
  values: Type.Array(
    ObjectOf('A value.', {
      value: Text('The value, as the filter takes it.', 'en'),
      items_count: Type.Integer({ minimum: 0, description: 'Number of items with it.' }),
    }),
    { maxItems: LIMITS.searched_max, description: 'The values, most items first.' },
  ),
});

export const FilterNameSchema = Type.Unsafe<keyof typeof ATTRIBUTES>({
  type: 'string',
  enum: Object.keys(ATTRIBUTES),
  description: 'The filter. `remove_ai_labels` takes the values of `ai_labels`.',
  example: 'languages',
});
