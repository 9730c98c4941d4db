import { type Static, type TNull, type TNumber, type TUnion, type TUnsafe, Type } from '@sinclair/typebox';
import { ColdStartReasonSchema, EffortSchema, ItemExplanationSchema, STAGE_NAMES } from './explain-parts.ts';
import { schemasOf } from './field.ts';
import { ITEM_FIELDS, SCORE_FIELDS } from './item-fields.ts';
import { orNull, strict } from './schema-parts.ts';

const DropSchema = strict(
  {
    stage: Type.Union(STAGE_NAMES, {
      description: 'The first stage that dropped it.',
      example: 'visibility',
    }),
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
  'What dropped the item.',
);

/** What kept an item from a page. */
export type Drop = Static<typeof DropSchema>;

/** Scores of the item as on a page, or null. */
function nullable<Name extends string>(
  schemas: Record<Name, TNumber>,
): Record<Name, TUnion<[TUnsafe<number>, TNull]>> {
  const entries = Object.entries<TNumber>(schemas).map(([name, schema]) => [
    name,
    orNull(schema, 'the item has no content.'),
  ]);
  return Object.fromEntries(entries);
}

export const ExplainedItemSchema = strict(
  {
    item_id: ITEM_FIELDS.item_id.schema,
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
    source_feed: orNull(ITEM_FIELDS.source_feed.schema, 'it is not on the page.'),
    promotion_name: ITEM_FIELDS.promotion_name.schema,
    ...nullable(schemasOf(SCORE_FIELDS)),
    explain: ItemExplanationSchema,
    cold_start: Type.Boolean({
      description: 'Whether the page is of the feed for viewers without history.',
      example: false,
    }),
    cold_start_reason: ColdStartReasonSchema,
    effort: EffortSchema,
    dropped_by: Type.Union([DropSchema, Type.Null()], {
      description: 'Why it is not on the page. null: it is.',
    }),
  },
  'Where an item stands on a page, or why it does not.',
  'ExplainedItem',
);

/** Where an item stands on a page, or why it does not. */
export type ExplainedItem = Static<typeof ExplainedItemSchema>;
