import { Type } from '@sinclair/typebox';
import { Count, Integer, ListOf, ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { invalidValue } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { MODERATORS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { readRoutes } from '../records/read-routes.ts';
import { json } from '../transport/answers.ts';
import { optional, timeParameter, wordParameter } from '../transport/parameters.ts';
import { type Buckets, itemCounts } from './item-counts.ts';

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

const ItemCountsSchema = namedObject('ItemCounts', 'Interactions with an item over time.', {
  item_id: Text('The item.', EXAMPLE_IDS.item),
  shown: Count(
    'How often the item was shown to viewers since it was created, on all pages that count. Of very many pages, a sample is counted, and each page stands for several.',
  ),
  every_seconds: Integer('Length of a bucket.'),
  complete_from: Seconds(
    'From here on all interactions are counted. Later than the first bucket only if the item has very many.',
  ),
  buckets: ListOf('The buckets, oldest first.', CountsBucketSchema, LIMITS.count_buckets_max),
});

/** Per bucket length: its seconds, and the buckets of a request without `from`. */
const LENGTHS = { '1h': { seconds: 3_600, initial: 24 }, '1d': { seconds: 86_400, initial: 30 } } as const;
type Length = keyof typeof LENGTHS;
const NAMES = Object.keys(LENGTHS) as Length[];

const EVERY = wordParameter(
  NAMES,
  'Length of a bucket: `1h` (default) or `1d`. Buckets begin at whole hours or days in UTC.',
  { default: '1h', example: '1h' },
);
const BUCKETS = {
  every: EVERY,
  from: optional(
    timeParameter(
      `Time in the first bucket. Default: ${LENGTHS['1h'].initial} hours or ${LENGTHS['1d'].initial} days before \`to\`. At most ${LIMITS.count_buckets_max} buckets.`,
    ),
  ),
  to: optional(timeParameter('Time in the last bucket. Default: now.')),
};

/** `GET /v2/community/items/<item_id>/counts`, and the same with the identifier in the query. */
export const itemCountsRoutes = readRoutes('items', 'counts', {
  admit: MODERATORS,
  answered_by: 'current',
  query: BUCKETS,
  answer: json(ItemCountsSchema),
  docs: {
    tag: 'Stored records',
    id: 'itemCounts',
    summary: 'Counts of an item over time',
    description:
      'For moderators and the console: current views, likes, comments and shares of an item by the time when they happened, and the totals that the source sent. Interactions that were taken back, and those of hidden users, do not count. Totals of the source are known for 31 days.',
    errors: ['not_found'],
  },
  handle: ({ service, params: { id }, query: { every, from, to } }) =>
    itemCounts(service, id, bucketsOf(every, from, to ?? service.clock.now())),
});

function bucketsOf(every: Length, from: number | undefined, to: number): Buckets {
  const { seconds, initial } = LENGTHS[every];
  const last = Math.floor(to / seconds);
  const first = from === undefined ? last - initial + 1 : Math.floor(from / seconds);
  if (first > last) throw wrongFrom('expected a time that is not after to');
  const count = last - first + 1;
  const most = LIMITS.count_buckets_max;
  if (count > most) throw wrongFrom(`expected at most ${most} buckets, not ${count}`);
  return { from: first * seconds, count, every_seconds: seconds };
}

function wrongFrom(message: string) {
  return invalidValue([{ path: '/from', message }]);
}
