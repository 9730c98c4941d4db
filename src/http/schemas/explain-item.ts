import { Type } from '@sinclair/typebox';
import type { FeedType } from '../../plugin/index.ts';
import type { Content } from '../openapi/operation.ts';
import { named } from '../openapi/schema.ts';
import { EffortSchema, ItemExplanationSchema } from './explanation.ts';
import { WarningsSchema } from './feed-answer.ts';
import { feedRequestFields } from './feed-request.ts';
import { orNull } from './parts.ts';

export const EXPLAIN_DESCRIPTION =
  'Builds the page of a request and says where an item stands on it, or which stage dropped it first: filters in the order of the request, then the rules, then what happens to items that the feed may show. Records nothing; `impression_count`, `request_id` and `return_metadata` mean nothing here.';

const NAMES: Record<FeedType, string> = {
  'for-you': 'ForYouQuestion',
  trending: 'TrendingQuestion',
  popular: 'PopularQuestion',
};

/** An item of the demo community. */
const ITEM = '0x242627bfdbba11e9866e2dff84bc42fae781d97c';

/** The body of a question about one item. */
export function explainRequestContent(feed_type: FeedType): Content {
  const schema = Type.Object(
    {
      item_id: Type.String({ minLength: 1, description: 'The item.', example: ITEM }),
      ...feedRequestFields(feed_type),
    },
    { description: 'A feed request and the item that it is about.' },
  );
  const viewer = feed_type === 'for-you' ? { user_id: '1000' } : {};
  return {
    schema: named(NAMES[feed_type], schema),
    examples: {
      item: { summary: 'Of one item', value: { ...viewer, item_id: ITEM, top_k: 5 } },
      filtered: {
        summary: 'Of one that a filter drops',
        value: {
          ...viewer,
          item_id: ITEM,
          filters: { channels: ['https://example.community/channel/none'] },
        },
      },
    },
  };
}

const Score = (description: string, example: number) =>
  orNull(Type.Number({ minimum: 0, description, example }), 'the item has no content.');

const DropSchema = Type.Object(
  {
    stage: Type.Union(
      [
        Type.Literal('candidates'),
        Type.Literal('ranking'),
        Type.Literal('visibility'),
        Type.Literal('mixing'),
      ],
      { description: 'The first stage that dropped it.', example: 'visibility' },
    ),
    plugin: Type.String({
      description:
        "A filter's key; a rule: `seen`, `interacted`, `hidden`, `blocked`, `own_posts`, `social_proof` or a third party's; the scoring function of items that are ranked too low; `diversity`; a promotion's strategy; `sources` for what no candidate source proposed; `deleted`, `not_described`, `moderated`, `too_old`, `dated_in_future` for what no feed may show.",
      example: 'seen',
    }),
    reason: Type.String({
      description: 'For people.',
      example: 'the rule seen drops it: Drops items that the viewer has seen.',
    }),
  },
  { description: 'What dropped the item.', additionalProperties: false },
);

const ExplainedItemSchema = named(
  'ExplainedItem',
  Type.Object(
    {
      item_id: Type.String({ description: 'The item.', example: ITEM }),
      shown: Type.Boolean({ description: 'Whether it is on the page.', example: false }),
      rank: orNull(
        Type.Integer({
          minimum: 1,
          description:
            'On the page: where it stands, the pages before it counted. Otherwise its exact place among all items that the feed may show.',
          example: 57,
        }),
        'the feed may not show it.',
      ),
      source_feed: orNull(
        Type.String({ description: 'Where it comes from.', example: 'main:for-you' }),
        'it is not on the page.',
      ),
      promotion_name: Type.Optional(
        Type.String({ description: 'Of promoted items only: the label of the promotion.' }),
      ),
      score: Score('What the scoring function says.', 0.61),
      adjusted_score: Score('The score after time decay.', 0.44),
      popular_score: Score('Engagement e of all time as e / (e + 20), 0 to 1.', 0.12),
      trending_score: Score(
        'Engagements per hour r expected in the next hours, as r / (r + 10), 0 to 1.',
        0.19,
      ),
      affinity_score: Score('As on the page.', 0.08),
      interest_score: Score('As on the page.', 0.71),
      explain: ItemExplanationSchema,
      cold_start: Type.Boolean({
        description: 'Whether the page is of the feed for viewers without history.',
        example: false,
      }),
      effort: EffortSchema,
      dropped_by: Type.Union([DropSchema, Type.Null()], {
        description: 'Why it is not on the page. null: it is.',
      }),
    },
    { description: 'Where an item stands on a page, or why it does not.', additionalProperties: false },
  ),
);

export const ExplainAnswerSchema = named(
  'ExplainAnswer',
  Type.Object(
    {
      status_code: Type.Literal(200, { description: 'The HTTP status.' }),
      body: ExplainedItemSchema,
      warnings: Type.Optional(WarningsSchema),
    },
    { description: 'Why an item is on a page, or why not.', additionalProperties: false },
  ),
);
