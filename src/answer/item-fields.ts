import { type Static, Type } from '@sinclair/typebox';
import { type ItemReason, ItemReasonSchema } from '../model/reasons.ts';
import { EXAMPLE_IDS } from '../model/records/example-ids.ts';
import type { SourcedItem } from '../page/page-item.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { fieldsFrom, schemasOf } from './field.ts';
import { type FollowedActs, FollowingEngagementSchema, SocialProofSchema } from './followed-acts.ts';
import { ItemMetadataSchema } from './metadata-fields.ts';
import { Amount, Count, ListOf, strict, Text } from './schema-parts.ts';

const Numbers = (description: string, example: Record<string, number>) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
    example,
  });

export const ItemExplanationSchema = strict(
  {
    signals: Numbers('Every signal that the scoring function read, 0 to 1.', {
      interest_all: 1,
      affinity_all: 0.5,
    }),
    score_parts: Numbers(
      'Parts that add up to the score: those that the scoring function names (none if it does not name them), and `exploration` for the bonus of an item that is tried out. Of a learnt score, such as by `learned_v0.0.1`, they add up to the logarithm of its odds, log(score / (1 - score)): `intercept`, `default` for the score of the default scoring function, and each signal that has a weight.',
      { interest_all: 0.5, affinity_all: 0.15 },
    ),
    factors: Numbers(
      'What the score is multiplied by to get `adjusted_score`: `time_decay`, and `repeat_author_decay` for items of the author that the viewer was shown in the last 24 hours, if the feed has them; `more` (2) and `less` (0.5) for items that match these preferences of the viewer, otherwise 1.',
      { time_decay: 0.8, repeat_author_decay: 0.25 },
    ),
    sources: Type.Array(Type.String(), {
      description:
        'Sources that proposed the item: ids of candidate sources; `postings`, or a rule, for narrow feeds, which start from all their items; `tail` for the other items of the feed, usually in the order of a global ranking, or the name of that ranking; `exploration` for little-known items that are tried out; `promoted_items` for hand-picked items; `seen_before` for items that the viewer has seen before.',
      example: ['walk', 'following'],
    }),
  },
  'Why the item has its score.',
  'ItemExplanation',
);

/** Why an item has its score, and which sources proposed it. */
export type ItemExplanation = Static<typeof ItemExplanationSchema>;

export interface ScoreSource {
  sourced: SourcedItem;
  signals: {
    popular(item: Ordinal): number;
    trending(item: Ordinal): number;
    affinity(item: Ordinal): number;
    interest(item: Ordinal): number;
  };
}

/** The sources of an item's fields, available while the page is built. */
export interface ItemSource extends ScoreSource {
  state: State;
  acts: FollowedActs;
  explanation: ItemExplanation | undefined;
  reasons: ItemReason[] | undefined;
}

const score = fieldsFrom<ScoreSource>();

export const SCORE_FIELDS = {
  score: score(Amount('Score by the scoring function.', 0.61), ({ sourced }) => sourced.score),
  adjusted_score: score(
    Amount('Score times all factors, such as time decay. The page is ordered by it.', 0.44),
    ({ sourced }) => sourced.adjusted_score,
  ),
  popular_score: score(Amount('Total engagement e as e / (e + 20), 0 to 1.', 0.12), ({ signals, sourced }) =>
    signals.popular(sourced.item),
  ),
  trending_score: score(
    Amount('Expected engagement per hour r in the next hours as r / (r + 10), 0 to 1.', 0.19),
    ({ signals, sourced }) => signals.trending(sourced.item),
  ),
  affinity_score: score(
    Amount('Score from acts of followed users; 0 on trending and popular pages.', 0.08),
    ({ signals, sourced }) => signals.affinity(sourced.item),
  ),
  interest_score: score(
    Amount('Score from users with similar taste; 0 on trending and popular pages.', 0.71),
    ({ signals, sourced }) => signals.interest(sourced.item),
  ),
};

const field = fieldsFrom<ItemSource>();

/**
 * Every field of an item, spec 2.6, in the order of the JSON.
 *
 * The writer and the OpenAPI document are both made from this table.
 */
export const ITEM_FIELDS = {
  item_id: field(Text('Identifier of the item.', EXAMPLE_IDS.item), ({ state, sourced }) =>
    state.items.names.id(sourced.item),
  ),
  source_feed: field(
    Text(
      'Origin of the item: `main:` and the feed, `cold_start:`, `fallback_main_<k>:`, `fallback_global:popular`, `promotion:`, or `seen:` for items that the viewer has seen before.',
      'main:for-you',
    ),
    ({ sourced }) => sourced.source_feed,
  ),
  promotion_name: field(
    Type.Optional(Text('Label of the promotion. Only on promoted items.', 'spring_sale')),
    ({ sourced }) => sourced.promotion_name,
  ),
  team: field(
    Type.Optional(
      Text('The interleaved variant that chose the item. Only under such an experiment.', 'control'),
    ),
    ({ sourced }) => sourced.team,
  ),
  ...SCORE_FIELDS,
  social_proof: field(SocialProofSchema, ({ acts }) => acts.social_proof),
  following_engagement: field(FollowingEngagementSchema, ({ acts }) => acts.following_engagement),
  text_length: field(Count('Length of the text, in characters.', 42), ({ state, sourced }) =>
    state.items.text_length(sourced.item),
  ),
  reasons: field(
    Type.Optional(ListOf('Why it is on the page, the strongest reason first.', ItemReasonSchema)),
    ({ reasons }) => reasons,
  ),
  // `addMetadata` fills it in later: its texts are read from the store after the page is built.
  metadata: field(Type.Optional(ItemMetadataSchema), () => undefined),
  explain: field(Type.Optional(ItemExplanationSchema), ({ explanation }) => explanation),
};

export const FeedItemSchema = strict(
  schemasOf(ITEM_FIELDS),
  'An item of a page. `reasons`, `metadata` and `explain` are present only if requested.',
  'FeedItem',
);

export type AnswerItem = Static<typeof FeedItemSchema>;
