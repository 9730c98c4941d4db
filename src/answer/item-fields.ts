import { type Static, Type } from '@sinclair/typebox';
import type { SourcedItem } from '../page/mixing.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { type ItemExplanation, ItemExplanationSchema } from './explain-parts.ts';
import { fieldsFrom, schemasOf } from './field.ts';
import { type FollowedActs, FollowingEngagementSchema, SocialProofSchema } from './followed-acts.ts';
import { ItemMetadataSchema } from './metadata-fields.ts';
import { Count, Score, strict, Text } from './schema-parts.ts';

/** What the scores of an item are read from. */
export interface ScoreSource {
  sourced: SourcedItem;
  signals: {
    popular(item: Ordinal): number;
    trending(item: Ordinal): number;
    affinity(item: Ordinal): number;
    interest(item: Ordinal): number;
  };
}

/** What all fields of an item are read from, while the page is built. */
export interface ItemSource extends ScoreSource {
  state: State;
  /** What followed users did with the item. */
  acts: FollowedActs;
  /** Only of explained requests. */
  explanation: ItemExplanation | undefined;
}

const score = fieldsFrom<ScoreSource>();

export const SCORE_FIELDS = {
  score: score(Score('What the scoring function said.', 0.61), ({ sourced }) => sourced.score),
  adjusted_score: score(
    Score('The score after time decay: what the page is ordered by.', 0.44),
    ({ sourced }) => sourced.adjusted_score,
  ),
  popular_score: score(
    Score('Engagement e of all time as e / (e + 20), 0 to 1.', 0.12),
    ({ signals, sourced }) => signals.popular(sourced.item),
  ),
  trending_score: score(
    Score('Engagements per hour r expected in the next hours, as r / (r + 10), 0 to 1.', 0.19),
    ({ signals, sourced }) => signals.trending(sourced.item),
  ),
  affinity_score: score(
    Score('What those whom the viewer follows did; 0 on trending and popular pages.', 0.08),
    ({ signals, sourced }) => signals.affinity(sourced.item),
  ),
  interest_score: score(
    Score('What people of like taste chose; 0 on trending and popular pages.', 0.71),
    ({ signals, sourced }) => signals.interest(sourced.item),
  ),
};

const field = fieldsFrom<ItemSource>();

/**
 * Every field of an item, spec 2.6, in the order of the JSON. This table is the only place where a field is described:
 * the writer and the OpenAPI document are made from it.
 */
export const ITEM_FIELDS = {
  item_id: field(Text('Identifier of the item.', '0x07cb1f36'), ({ state, sourced }) =>
    state.items.names.id(sourced.item),
  ),
  source_feed: field(
    Text(
      'Where it comes from: `main:` and the feed, `cold_start:`, `fallback_main_<k>:`, `fallback_global:popular` or `promotion:`.',
      'main:for-you',
    ),
    ({ sourced }) => sourced.source_feed,
  ),
  promotion_name: field(
    Type.Optional(Text('Of promoted items only: the label of the promotion.', 'spring_sale')),
    ({ sourced }) => sourced.promotion_name,
  ),
  ...SCORE_FIELDS,
  social_proof: field(SocialProofSchema, ({ acts }) => acts.social_proof),
  following_engagement: field(FollowingEngagementSchema, ({ acts }) => acts.following_engagement),
  text_length: field(Count('Length of the text, in characters.', 42), ({ state, sourced }) =>
    state.items.text_length(sourced.item),
  ),
  // Its texts are in the store, which is read after the page is built: `addMetadata` fills it in.
  metadata: field(Type.Optional(ItemMetadataSchema), () => undefined),
  explain: field(Type.Optional(ItemExplanationSchema), ({ explanation }) => explanation),
};

export const FeedItemSchema = strict(
  schemasOf(ITEM_FIELDS),
  'An item of a page. `metadata` and `explain` only when asked for.',
  'FeedItem',
);

/** One item of an answer. */
export type AnswerItem = Static<typeof FeedItemSchema>;
