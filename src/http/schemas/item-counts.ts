import { Type } from '@sinclair/typebox';
import { Seconds } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import { LIMITS } from '../../limits.ts';
import { named } from '../openapi/schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const SourceCount = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

const CountsBucketSchema = named(
  'CountsBucket',
  Type.Object(
    {
      at: Seconds('Start of the bucket.'),
      views: Count('Views in the bucket.'),
      likes: Count('Likes in the bucket.'),
      comments: Count('Comments in the bucket.'),
      shares: Count('Shares in the bucket.'),
      source: Type.Object(
        {
          likes_count: SourceCount('Likes. null: not counted by then.'),
          comments_count: SourceCount('Comments. null: not counted by then.'),
          shares_count: SourceCount('Shares. null: not counted by then.'),
        },
        { description: 'The last totals that the source had sent by the end of the bucket.' },
      ),
    },
    { description: 'A bucket.' },
  ),
);

export const ItemCountsSchema = named(
  'ItemCounts',
  Type.Object(
    {
      item_id: Type.String({ description: 'The item.', example: EXAMPLE_IDS.item }),
      every_seconds: Type.Integer({ description: 'Length of a bucket.' }),
      complete_from: Seconds(
        'From here on all interactions are counted. Later than the first bucket only if the item has very many.',
      ),
      buckets: Type.Array(CountsBucketSchema, {
        maxItems: LIMITS.count_buckets_max,
        description: 'The buckets, oldest first.',
      }),
    },
    { description: 'Interactions with an item over time.' },
  ),
);
