import { Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import { integer, parameter, Switch } from './parameter.ts';

export const Scoring = Type.Union(
  [
    Type.String(),
    Type.Object(
      { name: Type.String(), options: Type.Optional(Type.Unknown()) },
      { additionalProperties: false },
    ),
  ],
  { description: 'the id of a scoring function, or {"name": id, "options": {…}}' },
);

const HalfLife = Type.Object(
  { half_life_hours: Type.Number({ exclusiveMinimum: 0, description: 'a number of hours above 0' }) },
  { additionalProperties: false },
);

const TimeDecay = Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), HalfLife], {
  description: 'none, low, medium, high, or {"half_life_hours": n} with n above 0',
});

const SemanticDiversity = Type.Object(
  {
    lambda: parameter(
      Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' }),
      'Weight of the score. 1: order by score alone. Default 0.7.',
    ),
    horizon: parameter(
      integer(1, LIMITS.semantic_horizon_max),
      'Number of preceding items that an item is compared with. Default 10.',
    ),
  },
  { additionalProperties: false },
);

const Diversity = Type.Object(
  {
    repeat_author_decay: parameter(
      Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' }),
      'The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay.',
    ),
    max_posts_per_channel: parameter(
      Type.Integer({ minimum: 1, description: 'an integer of at least 1' }),
      'Maximum number of items of one channel on a page.',
    ),
    max_posts_per_author: parameter(
      Type.Integer({ minimum: 1, description: 'an integer of at least 1' }),
      'Maximum number of items of one author on a page.',
    ),
    min_distance_between_posts_from_same_author: parameter(
      Type.Integer({ minimum: 0, description: 'an integer of at least 0' }),
      'Minimum number of other items between two items of one author.',
    ),
    semantic: parameter(
      SemanticDiversity,
      'Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding.',
    ),
  },
  { additionalProperties: false },
);

const Seen = Type.Object(
  {
    mode: Type.Union([Type.Literal('drop'), Type.Literal('last'), Type.Literal('show')], {
      description: 'drop, last or show',
      meaning:
        '`drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item.',
    }),
    after_hours: parameter(
      Type.Number({ exclusiveMinimum: 0, description: 'a number of hours above 0' }),
      'An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`.',
    ),
    rest_hours: parameter(
      Type.Number({ minimum: 0, description: 'a number of hours of at least 0' }),
      'With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes.',
    ),
  },
  {
    additionalProperties: false,
    description: '{"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}',
  },
);

/** The definition of a feed: may be saved, and given with a request. */
export function compiledParameters() {
  const filters = Type.Record(Type.String(), Type.Unknown(), { description: 'an object of filters' });
  const rules = Type.Record(Type.String(), Type.Unknown(), {
    description: 'an object from rule id to its options',
  });
  return {
    filters: Type.Optional(filters),
    scoring: Type.Optional(Scoring),
    time_decay: parameter(
      TimeDecay,
      'How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none.',
    ),
    show_interacted_items: parameter(
      Switch,
      'Whether to include items that the viewer liked, commented, shared or bookmarked. Default false.',
    ),
    remove_user_posts_from_feed: parameter(
      Switch,
      "Whether to leave out the viewer's own items. Default false.",
    ),
    return_only_posts_with_social_proof: parameter(
      Switch,
      'Whether to keep only items that a followed user liked, commented or shared. Default false.',
    ),
    visibility_rules: Type.Optional(rules),
    seen: parameter(
      Seen,
      'What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`.',
    ),
    feed_diversity_config: parameter(
      Diversity,
      'Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt.',
    ),
    learn: parameter(
      Switch,
      'Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing.',
    ),
    candidate_limit: parameter(
      integer(LIMITS.candidate_limit_min, LIMITS.candidate_limit_max),
      'How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more.',
    ),
  };
}

/** Parameters that a CompiledFeed depends on. */
export const COMPILED = Object.keys(compiledParameters()) as (keyof ReturnType<typeof compiledParameters>)[];

/** Visibility switches. They apply to all feeds that a feed takes items from. */
export const SWITCHES: ReadonlySet<string> = new Set([
  'show_interacted_items',
  'remove_user_posts_from_feed',
  'return_only_posts_with_social_proof',
  'visibility_rules',
  'seen',
]);
