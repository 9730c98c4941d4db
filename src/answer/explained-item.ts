import { type Static, type TNull, type TNumber, type TUnion, type TUnsafe, Type } from '@sinclair/typebox';
import { schemasOf } from './field.ts';
import { ITEM_FIELDS, ItemExplanationSchema, SCORE_FIELDS } from './item-fields.ts';
import { ColdStartReasonSchema, EffortSchema, orNull, STAGE_NAMES, strict } from './schema-parts.ts';

const DropSchema = strict(
  {
    stage: Type.Union(STAGE_NAMES, {
      description: 'The first stage that dropped the item.',
      example: 'visibility',
    }),
    plugin: Type.String({
      description:
        "What dropped the item: a filter's key; a rule (`seen`, `interacted`, `hidden`, `blocked`, `muted`, `own_posts`, `social_proof`, or the id of a third-party rule); `cursor` if the item is on an earlier page; the scoring function if the item ranks too low; `diversity`; a promotion's strategy; `sources` if no candidate source proposed it; `deleted`, `not_described`, `moderated`, `too_old` or `dated_in_future` if no feed may show it.",
      example: 'seen',
    }),
    reason: Type.String({
      description: 'For people.',
      example: 'the rule seen drops it: Drops items that the viewer has seen.',
    }),
  },
  'Which part of the feed dropped the item.',
);

export type Drop = Static<typeof DropSchema>;

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
    shown: Type.Boolean({ description: 'Whether the item is on the page.', example: false }),
    rank: orNull(
      Type.Integer({
        minimum: 1,
        description:
          'For an item on the page: its place, counted from the first page. Otherwise: its exact rank among all items that the feed may show.',
        example: 57,
      }),
      'the feed may not show it.',
    ),
    source_feed: orNull(ITEM_FIELDS.source_feed.schema, 'it is not on the page.'),
    promotion_name: ITEM_FIELDS.promotion_name.schema,
    ...nullable(schemasOf(SCORE_FIELDS)),
    reasons: ITEM_FIELDS.reasons.schema,
    explain: ItemExplanationSchema,
    cold_start: Type.Boolean({
      description: 'Whether the page comes from the cold-start feed.',
      example: false,
    }),
    cold_start_reason: ColdStartReasonSchema,
    effort: EffortSchema,
    dropped_by: Type.Union([DropSchema, Type.Null()], {
      description: 'Why the item is not on the page. null: it is on the page.',
    }),
  },
  'Where an item stands on a page, or why it is not there.',
  'ExplainedItem',
);

/** Where an item stands on a page, or why it is not there. */
export type ExplainedItem = Static<typeof ExplainedItemSchema>;
