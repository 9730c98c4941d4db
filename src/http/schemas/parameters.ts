import { type TSchema, Type } from '@sinclair/typebox';
import type { FeedType } from '../../plugin/index.ts';
import { scoringSchemaName } from '../openapi/plugin-schemas.ts';
import { refTo } from '../openapi/schema.ts';

/** What a parameter of a feed means; limits and defaults are added from the schema that checks it. */
const MEANING: Record<string, string> = {
  user_id: 'The viewer. Unknown ones are viewers without history.',
  wallet_address:
    'The viewer by one of their wallets, in any case; ignored when `user_id` is given. Unknown: a viewer without history.',
  feed_id: 'A saved feed: its settings hold where the request gives none.',
  top_k: 'Items wanted. Default 25.',
  impression_count:
    'So many items from the start of the answer count as shown: the viewer does not get them again. Default 0; nothing is recorded without a viewer.',
  page_size:
    'Items of a plain page: what was shown before does not matter, and nothing is recorded. Default 25. Ignored when the request has `top_k`; only for trending and popular.',
  page_number: 'Which plain page, from 1. Default 1. Only for trending and popular.',
  time_decay: 'How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none.',
  show_interacted_items: 'Also items that the viewer liked, commented, shared or bookmarked. Default false.',
  remove_user_posts_from_feed: "Without the viewer's own items. Default false.",
  return_only_posts_with_social_proof:
    'Only items that somebody whom the viewer follows liked, commented or shared. Default false.',
  feed_diversity_config:
    'Keeps authors from filling the page; both limits are hard, so the page may be shorter. Items of unknown author are exempt.',
  max_posts_per_author: 'Items of one author on a page.',
  min_distance_between_posts_from_same_author: 'Other items between two of one author.',
  fallback_feeds: 'Saved feeds that follow, in order, when this one runs out.',
  return_global_fallback: "After the fallback feeds, the network's popular items. Default false.",
  cold_start_feed: 'The saved feed that viewers without history get instead.',
  cold_start: 'The same with limits of its own.',
  min_interactions: 'Viewers with fewer interactions are cold.',
  inactive_days: 'Viewers silent for longer, in days, are cold.',
  promotion_filters: 'Items or a feed that are mixed into the page.',
  return_metadata: 'Each item with its text, counts, labels and author. Default false.',
  explain: 'Each item with what its score is made of, and the answer with a trace. Default false.',
  seed: 'Makes every random choice repeatable. Absent: a fresh one.',
  request_id:
    'Sent again by the same viewer within 10 minutes it gives the same page, and nothing is recorded twice.',
};

/**
 * Parameters of a feed as the API's description shows them: what they mean, and the form that the schema
 * which checks them says.
 */
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
  if (name === 'scoring') return Type.Optional(refTo(scoringSchemaName(feed_type)));
  if (name === 'visibility_rules') return Type.Optional(refTo('VisibilityRules'));
  if (name === 'promotion_filters') {
    return Type.Optional({ ...described(name, schema), items: refTo('Promotion') });
  }
  const shown = name === 'time_decay' ? withNone(schema) : described(name, schema);
  return Type.Optional(shown);
}

/** The schema and those of its fields with what they mean, and with what was said of their form. */
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
  const said = [meaning, form === undefined ? undefined : `${sentence(form)}`].filter(Boolean).join(' ');
  return { ...schema, ...properties, ...(said === '' ? {} : { description: said }) };
}

/** `none` switches a saved value off before the request is checked. */
function withNone(schema: TSchema): TSchema {
  const { anyOf, ...rest } = described('time_decay', schema);
  return Type.Unsafe({ ...rest, anyOf: [{ const: 'none', type: 'string' }, ...(anyOf ?? [])] });
}

function sentence(form: string): string {
  return form === 'true or false' ? '' : `Form: ${form}.`;
}
