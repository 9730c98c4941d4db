import { type TSchema, Type } from '@sinclair/typebox';
import type { FeedType } from '../../plugin/index.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { refTo } from '../openapi/schema.ts';

/** Descriptions of a feed's parameters. Limits and defaults are added from the schema that checks them. */
const MEANING: Record<string, string> = {
  user_id: 'The viewer. An unknown user is a viewer without history.',
  wallet_address:
    'The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history.',
  feed_id: 'Id of a saved feed. Its settings apply where the request sets none.',
  top_k: 'Number of items. Default 25.',
  impression_count:
    'Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded.',
  mark_seen:
    'Whether `impression_count` records anything. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer.',
  page_size:
    'Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular.',
  page_number: 'Number of the plain page, from 1. Default 1. Only for trending and popular.',
  cursor:
    'Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`.',
  time_decay: 'How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none.',
  show_interacted_items:
    'Whether to include items that the viewer liked, commented, shared or bookmarked. Default false.',
  seen: 'What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`.',
  mode: '`drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item.',
  after_hours:
    'An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`.',
  rest_hours:
    'With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes.',
  remove_user_posts_from_feed: "Whether to leave out the viewer's own items. Default false.",
  return_only_posts_with_social_proof:
    'Whether to keep only items that a followed user liked, commented or shared. Default false.',
  feed_diversity_config:
    'Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt.',
  repeat_author_decay:
    'The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay.',
  max_posts_per_channel: 'Maximum number of items of one channel on a page.',
  max_posts_per_author: 'Maximum number of items of one author on a page.',
  min_distance_between_posts_from_same_author:
    'Minimum number of other items between two items of one author.',
  semantic:
    'Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding.',
  lambda: 'Weight of the score. 1: order by score alone. Default 0.7.',
  horizon: 'Number of preceding items that an item is compared with. Default 10.',
  candidate_limit:
    'How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more.',
  fallback_feeds: 'Saved feeds that continue the page, in order, when this feed has no more items.',
  return_global_fallback:
    "Whether the network's popular items follow after the fallback feeds. Default false.",
  cold_start_feed: 'Saved feed for viewers without history, instead of this one.',
  cold_start: 'Saved feed for viewers without history, with limits that define them.',
  min_interactions: 'Viewers with fewer interactions get the cold-start feed.',
  inactive_days: 'Viewers without activity for more than this many days get the cold-start feed.',
  promotion_filters: 'Items of a list or a feed that are mixed into the page.',
  bluesky:
    "Publishes the feed through the service's Bluesky feed generator, if its `visibility` is `public`. Only in saved feeds.",
  rkey: 'Record key of the feed generator record. No two saved feeds may have the same.',
  return_metadata: 'Whether to return the text, counts, labels and author of each item. Default false.',
  consistency:
    'With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set.',
  explain: 'Whether to explain the score of each item and add a trace to the answer. Default false.',
  seed: 'Seed that makes every random choice repeatable. Default: a random seed.',
  request_id:
    'If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice.',
};

/** The parameters of a feed for the document: descriptions, and the form that the checking schema allows. */
export function parameterDocs(
  feed_type: FeedType,
  checked: Record<string, TSchema>,
): Record<string, TSchema> {
  const documented = Object.entries(checked).map(([name, schema]) => [
    name,
    fieldDocs(feed_type, name, schema),
  ]);
  return Object.fromEntries(documented);
}

function fieldDocs(feed_type: FeedType, name: string, schema: TSchema): TSchema {
  if (name === 'filters') return Type.Optional(refTo('Filters'));
  if (name === 'scoring') return Type.Optional(refTo(feedSchemaName(feed_type, 'Scoring')));
  if (name === 'visibility_rules') return Type.Optional(refTo('VisibilityRules'));
  if (name === 'promotion_filters') {
    return Type.Optional({ ...described(name, schema), items: refTo('Promotion') });
  }
  const shown = name === 'time_decay' ? withNone(schema) : described(name, schema);
  return Type.Optional(shown);
}

/** Adds descriptions to a schema and its fields, and keeps the description of their form. */
function described(name: string, schema: TSchema): TSchema {
  const meaning = MEANING[name];
  const { description: form } = schema;
  const inner = schema.properties as Record<string, TSchema> | undefined;
  const properties =
    inner === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(inner).map(([key, field]) => [key, described(key, field)]),
          ),
        };
  const text = [meaning, form === undefined ? undefined : `${sentence(form)}`].filter(Boolean).join(' ');
  return { ...schema, ...properties, ...(text === '' ? {} : { description: text }) };
}

/** Adds `none`, which switches a saved value off before the request is checked. */
function withNone(schema: TSchema): TSchema {
  const { anyOf, ...rest } = described('time_decay', schema);
  return Type.Unsafe({ ...rest, anyOf: [{ const: 'none', type: 'string' }, ...(anyOf ?? [])] });
}

function sentence(form: string): string {
  return form === 'true or false' ? '' : `Form: ${form}.`;
}
