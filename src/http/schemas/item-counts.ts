import { Type } from '@sinclair/typebox';
import { ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import { LIMITS } from '../../limits.ts';
import { namedObject } from '../openapi/schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const SourceCount = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

const CountsBucketSchema = namedObject('CountsBucket', 'A bucket.', {
  at: Seconds('Start of the bucket.'),
  views: Count('Views in the bucket.'),
  likes: Count('Likes in the bucket.'),
  comments: Count('Comments in the bucket.'),
  shares: Count('Shares in the bucket.'),
  source: ObjectOf('The last totals that the source had sent by the end of the bucket.', {
    likes_count: SourceCount('Likes. null: not counted by then.'),
    comments_count: SourceCount('Comments. null: not counted by then.'),
    shares_count: SourceCount('Shares. null: not counted by then.'),
  }),
});

export const ItemCountsSchema = namedObject('ItemCounts', 'Interactions with an item over time.', {
  item_id: Text('The item.', EXAMPLE_IDS.item),
  every_seconds: Type.Integer({ description: 'Length of a bucket.' }),
  complete_from: Seconds(
    'From here on all interactions are counted. Later than the first bucket only if the item has very many.',
  ),
  buckets: Type.Array(CountsBucketSchema, {
    maxItems: LIMITS.count_buckets_max,
    description: 'The buckets, oldest first.',
  }),
});
