import { type TSchema, Type } from '@sinclair/typebox';
import { ExplainedItemSchema } from '../../answer/explained-item.ts';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { ObjectOf, strict } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import type { FeedType } from '../../plugin/index.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { type Example, named } from '../openapi/schema.ts';
import { feedRequestFields } from './feed-request.ts';

export const EXPLAIN_DESCRIPTION =
  'Builds the page of a feed request and tells where one item stands on it, or which stage dropped it first: the filters in the order of the request, then the rules, then ranking, diversity and promotions. Nothing is recorded. `impression_count`, `request_id` and `return_metadata` have no effect here.';

/** An item of the demo community. */
const ITEM = EXAMPLE_IDS.item;

/** The body of a request to explain one item. */
export function explainRequestSchema(feed_type: FeedType): TSchema {
  const schema = ObjectOf('A feed request, and the item to explain.', {
    item_id: Type.String({ minLength: 1, description: 'The item.', example: ITEM }),
    ...feedRequestFields(feed_type),
  });
  return named(feedSchemaName(feed_type, 'Question'), schema);
}

export function explainExamples(feed_type: FeedType): Record<string, Example> {
  const viewer = feed_type === 'for-you' ? { user_id: EXAMPLE_IDS.viewer } : {};
  return {
    item: { summary: 'Explain one item', value: { ...viewer, item_id: ITEM, top_k: 5 } },
    filtered: {
      summary: 'Explain an item that a filter drops',
      value: { ...viewer, item_id: ITEM, filters: { channels: ['https://example.community/none'] } },
    },
  };
}

export const ExplainAnswerSchema = named(
  'ExplainAnswer',
  strict(
    {
      status_code: Type.Literal(200, { description: 'The HTTP status.' }),
      body: ExplainedItemSchema,
      warnings: Type.Optional(WarningsSchema),
    },
    'Where the item stands on the page, or why it is not there.',
  ),
);
