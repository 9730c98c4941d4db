import { Type } from '@sinclair/typebox';
import { ObjectOf, Text } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import { LIMITS } from '../../limits.ts';
import { namedObject } from '../openapi/schema.ts';

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const SimilarItem = ObjectOf('A similar item.', {
  item_id: Text('Identifier of the item.', EXAMPLE_IDS.thread),
  score: Share('How similar it is: the part that was asked for, or the mean of both.'),
  acts: Share('By users who acted on both items, 1 for the most similar one. 0 if not asked for.'),
  meaning: Share('By embeddings, 1 for the same embedding. 0 if not asked for.'),
});

export const SimilarItemsSchema = namedObject('SimilarItems', 'Items that are similar to one.', {
  item_id: Text('The item.', EXAMPLE_IDS.item),
  items: Type.Array(SimilarItem, {
    maxItems: LIMITS.similar_max,
    description: 'Similar items, the most similar first.',
  }),
});
