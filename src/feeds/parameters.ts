import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';

/**
 * The schemas of all parameters of feed requests. A saved feed's `config` may contain the same parameters, except
 * those
 * that belong to one request.
 */

const Switch = Type.Boolean({ description: 'true or false' });

const ID_LENGTH = { minLength: 1, maxLength: LIMITS.id_length_max };

/** An integer is equivalent to its decimal text. */
const Identifier = Type.Union([Type.String(ID_LENGTH), Type.Integer()], {
  description: `an identifier of 1 to ${LIMITS.id_length_max} characters, or an integer up to 2^53-1`,
});

function integer(minimum: number, maximum: number) {
  const most = maximum === Number.MAX_SAFE_INTEGER ? '2^53-1' : maximum;
  return Type.Integer({ minimum, maximum, description: `an integer from ${minimum} to ${most}` });
}

function text(what: string) {
  return Type.String({ ...ID_LENGTH, description: `${what} of 1 to ${LIMITS.id_length_max} characters` });
}

const Scoring = Type.Union(
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
    lambda: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' })),
    horizon: Type.Optional(integer(1, LIMITS.semantic_horizon_max)),
  },
  { additionalProperties: false },
);

const Diversity = Type.Object(
  {
    repeat_author_decay: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' }),
    ),
    max_posts_per_channel: Type.Optional(
      Type.Integer({ minimum: 1, description: 'an integer of at least 1' }),
    ),
    max_posts_per_author: Type.Optional(
      Type.Integer({ minimum: 1, description: 'an integer of at least 1' }),
    ),
    min_distance_between_posts_from_same_author: Type.Optional(
      Type.Integer({ minimum: 0, description: 'an integer of at least 0' }),
    ),
    semantic: Type.Optional(SemanticDiversity),
  },
  { additionalProperties: false },
);

const Seen = Type.Object(
  {
    mode: Type.Union([Type.Literal('drop'), Type.Literal('last'), Type.Literal('show')], {
      description: 'drop, last or show',
    }),
    after_hours: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'a number of hours above 0' }),
    ),
    rest_hours: Type.Optional(Type.Number({ minimum: 0, description: 'a number of hours of at least 0' })),
  },
  {
    additionalProperties: false,
    description: '{"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}',
  },
);

/** The definition of a feed: may be saved, and given with a request. */
function compiledParameters() {
  const filters = Type.Record(Type.String(), Type.Unknown(), { description: 'an object of filters' });
  const rules = Type.Record(Type.String(), Type.Unknown(), {
    description: 'an object from rule id to its options',
  });
  return {
    filters: Type.Optional(filters),
    scoring: Type.Optional(Scoring),
    time_decay: Type.Optional(TimeDecay),
    show_interacted_items: Type.Optional(Switch),
    remove_user_posts_from_feed: Type.Optional(Switch),
    return_only_posts_with_social_proof: Type.Optional(Switch),
    visibility_rules: Type.Optional(rules),
    seen: Type.Optional(Seen),
    feed_diversity_config: Type.Optional(Diversity),
    candidate_limit: Type.Optional(integer(LIMITS.candidate_limit_min, LIMITS.candidate_limit_max)),
  };
}

const FeedId = text('the id of a saved feed');

const Reference = Type.Object({ feed_id: FeedId }, { additionalProperties: false });

const ColdStart = Type.Object(
  {
    feed_id: FeedId,
    min_interactions: Type.Optional(integer(0, 1_000_000)),
    inactive_days: Type.Optional(integer(1, 100_000)),
  },
  { additionalProperties: false },
);

const PromotedItem = Type.Object(
  { item_id: Identifier, rank: Type.Optional(integer(1, Number.MAX_SAFE_INTEGER)) },
  { additionalProperties: false },
);

/** One promotion of a feed. Spec 2.4. */
export const Promotion = Type.Object(
  {
    promotion_type: Type.String({
      minLength: 1,
      description: "feed, items, or the id of a third party's strategy",
    }),
    promotion_name: text('a label'),
    percent: Type.Optional(integer(0, 100)),
    feed_id: Type.Optional(FeedId),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'an object of filters' }),
    ),
    promoted_items: Type.Optional(
      Type.Array(PromotedItem, {
        maxItems: LIMITS.promoted_items_max,
        description: `a list of at most ${LIMITS.promoted_items_max} {"item_id","rank"?}`,
      }),
    ),
    options: Type.Optional(Type.Unknown({ description: "the options of a third party's strategy" })),
  },
  { additionalProperties: false },
);

/** References to other feeds: may be saved, and given with a request. */
function mixingParameters() {
  return {
    fallback_feeds: Type.Optional(
      Type.Array(Reference, {
        maxItems: LIMITS.fallback_feeds_max,
        description: `a list of at most ${LIMITS.fallback_feeds_max} {"feed_id"}`,
      }),
    ),
    return_global_fallback: Type.Optional(Switch),
    cold_start_feed: Type.Optional(FeedId),
    cold_start: Type.Optional(ColdStart),
    promotion_filters: Type.Optional(
      Type.Array(Promotion, { maxItems: 1, description: 'a list of at most one promotion' }),
    ),
  };
}

const Consistency = Type.Union([Type.Literal('strong'), Type.Literal('eventual')], {
  description: 'strong or eventual',
});

/** The size of a page, and how current it is: may be saved as well. */
function pageParameters(feed_type: FeedType) {
  const top_k_max = feed_type === 'for-you' ? LIMITS.top_k_max_for_you : LIMITS.top_k_max_ranked;
  return {
    top_k: Type.Optional(integer(1, top_k_max)),
    page_size: Type.Optional(integer(1, LIMITS.top_k_max_ranked)),
    return_metadata: Type.Optional(Switch),
    consistency: Type.Optional(Consistency),
  };
}

/** The viewer and the page: only in requests. */
function requestParameters() {
  const { request_id_length_max } = LIMITS;
  return {
    user_id: Type.Optional(Identifier),
    wallet_address: Type.Optional(text('an address')),
    feed_id: Type.Optional(FeedId),
    impression_count: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER)),
    mark_seen: Type.Optional(Switch),
    page_number: Type.Optional(integer(1, Number.MAX_SAFE_INTEGER)),
    cursor: Type.Optional(Type.String({ description: 'the cursor of an earlier answer' })),
    seed: Type.Optional(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'an integer up to 2^53-1',
      }),
    ),
    explain: Type.Optional(Switch),
    request_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: request_id_length_max,
        description: `a text of 1 to ${request_id_length_max} characters`,
      }),
    ),
  };
}

/** A record key of AT Protocol. */
const RecordKey = Type.String({
  pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._:~-]{1,512}$',
  description: '1 to 512 ASCII letters, digits and ._:~- (not . or ..)',
});

/** Where a feed is published: only in saved feeds. */
function publicationParameters() {
  return { bluesky: Type.Optional(Type.Object({ rkey: RecordKey }, { additionalProperties: false })) };
}

/** The schema of a saved feed's `config`. */
export function configSchema(feed_type: FeedType) {
  return Type.Object({
    ...compiledParameters(),
    ...mixingParameters(),
    ...pageParameters(feed_type),
    ...publicationParameters(),
  });
}

/** The schema of the body of a feed request. Spec 2.5. */
export function requestSchema(feed_type: FeedType) {
  return Type.Object({
    ...requestParameters(),
    ...compiledParameters(),
    ...mixingParameters(),
    ...pageParameters(feed_type),
  });
}

export type PromotionParameters = Static<typeof Promotion>;

/** Parameters of a feed that are valid by `configSchema`. */
export type FeedParameters = Static<ReturnType<typeof configSchema>>;

/** Parameters of a request, merged with those of the feed, that are valid by `requestSchema`. */
export type RequestParameters = Static<ReturnType<typeof requestSchema>>;

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

/** Parameters of one request. Saved feeds cannot contain them, so there is no way to switch them off. */
export const REQUEST_ONLY: ReadonlySet<string> = new Set(Object.keys(requestParameters()));

/** Whether a value in a request switches off a saved parameter. */
export function switchesOff(value: unknown): boolean {
  return value === '' || value === 'none' || (Array.isArray(value) && value.length === 0);
}
