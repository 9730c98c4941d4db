import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import { compiledParameters } from './compiled-parameters.ts';
import { Identifier, integer, parameter, Switch, text } from './parameter.ts';

/**
 * The schemas of all parameters of feed requests. A saved feed's `config` may contain the same parameters, except
 * those
 * that belong to one request.
 */

const FeedId = text('the id of a saved feed');

const Reference = Type.Object({ feed_id: FeedId }, { additionalProperties: false });

const ColdStart = Type.Object(
  {
    feed_id: { ...FeedId, meaning: 'The saved feed for these viewers.' },
    min_interactions: parameter(
      integer(0, 1_000_000),
      'Viewers with fewer interactions get the cold-start feed.',
    ),
    inactive_days: parameter(
      integer(1, 100_000),
      'Viewers without activity for more than this many days get the cold-start feed.',
    ),
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
    fallback_feeds: parameter(
      Type.Array(Reference, {
        maxItems: LIMITS.fallback_feeds_max,
        description: `a list of at most ${LIMITS.fallback_feeds_max} {"feed_id"}`,
      }),
      'Saved feeds that continue the page, in order, when this feed has no more items.',
    ),
    return_global_fallback: parameter(
      Switch,
      "Whether the network's popular items follow after the fallback feeds. Default false.",
    ),
    cold_start_feed: parameter(FeedId, 'Saved feed for viewers without history, instead of this one.'),
    cold_start: parameter(ColdStart, 'Saved feed for viewers without history, with limits that define them.'),
    promotion_filters: parameter(
      Type.Array(Promotion, { maxItems: 1, description: 'a list of at most one promotion' }),
      'Items of a list or a feed that are mixed into the page.',
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
    top_k: parameter(integer(1, top_k_max), 'Number of items. Default 25.'),
    page_size: parameter(
      integer(1, LIMITS.top_k_max_ranked),
      'Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular.',
    ),
    return_metadata: parameter(
      Switch,
      'Whether to return the text, counts, labels and author of each item. Default false.',
    ),
    reasons: parameter(
      Switch,
      'Whether to return why each item is on the page, in words that may be shown to the viewer. Default false.',
    ),
    consistency: parameter(
      Consistency,
      'With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set.',
    ),
  };
}

/** The viewer and the page: only in requests. */
function requestParameters() {
  const { request_id_length_max } = LIMITS;
  return {
    user_id: parameter(Identifier, 'The viewer. An unknown user is a viewer without history.'),
    wallet_address: parameter(
      text('an address'),
      'The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history.',
    ),
    feed_id: parameter(FeedId, 'Id of a saved feed. Its settings apply where the request sets none.'),
    impression_count: parameter(
      integer(0, Number.MAX_SAFE_INTEGER),
      'Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded.',
    ),
    mark_seen: parameter(
      Switch,
      'Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer.',
    ),
    page_number: parameter(
      integer(1, Number.MAX_SAFE_INTEGER),
      'Number of the plain page, from 1. Default 1. Only for trending and popular.',
    ),
    cursor: parameter(
      Type.String({ description: 'the cursor of an earlier answer' }),
      'Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`.',
    ),
    seed: parameter(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'an integer up to 2^53-1',
      }),
      'Seed that makes every random choice repeatable. Default: a random seed.',
    ),
    explain: parameter(
      Switch,
      'Whether to explain the score of each item and add a trace to the answer. Default false.',
    ),
    request_id: parameter(
      Type.String({
        minLength: 1,
        maxLength: request_id_length_max,
        description: `a text of 1 to ${request_id_length_max} characters`,
      }),
      'If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice.',
    ),
  };
}

/** A record key of AT Protocol. */
const RecordKey = Type.String({
  pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._:~-]{1,512}$',
  description: '1 to 512 ASCII letters, digits and ._:~- (not . or ..)',
  meaning: 'Record key of the feed generator record. No two saved feeds may have the same.',
});

/** Where a feed is published: only in saved feeds. */
function publicationParameters() {
  return {
    bluesky: parameter(
      Type.Object({ rkey: RecordKey }, { additionalProperties: false }),
      "Publishes the feed through the service's Bluesky feed generator, if its `visibility` is `public`. Only in saved feeds.",
    ),
  };
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

/** Parameters of one request. Saved feeds cannot contain them, so there is no way to switch them off. */
export const REQUEST_ONLY: ReadonlySet<string> = new Set(Object.keys(requestParameters()));

/** Whether a value in a request switches off a saved parameter. */
export function switchesOff(value: unknown): boolean {
  return value === '' || value === 'none' || (Array.isArray(value) && value.length === 0);
}
