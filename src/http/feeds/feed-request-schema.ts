import type { TSchema } from '@sinclair/typebox';
import { ObjectOf } from '../../answer/schema-parts.ts';
import { requestSchema } from '../../feeds/parameters.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import type { FeedType } from '../../plugin/index.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { type Example, named } from '../openapi/schema.ts';
import { parameterDocs } from './parameter-docs.ts';

export function feedRequestFields(feed_type: FeedType): Record<string, TSchema> {
  return parameterDocs(feed_type, requestSchema(feed_type).properties);
}

/** The body of a feed request, made from the schema that checks it. */
export function feedRequestSchema(feed_type: FeedType): TSchema {
  const schema = ObjectOf(
    feed_type === 'for-you'
      ? 'A for-you feed needs `user_id` or `wallet_address`. Unknown fields are ignored and named in `warnings`. The name of a filter outside of `filters` is refused.'
      : 'All fields are optional. Unknown fields are ignored and named in `warnings`. The name of a filter outside of `filters` is refused.',
    feedRequestFields(feed_type),
  );
  return named(feedSchemaName(feed_type, 'Request'), schema);
}

/** A channel, an author and viewers of the demo community. */
const CHANNEL = 'https://example.community/channel/music';
const { viewer: VIEWER, other_viewer: OTHER_VIEWER } = EXAMPLE_IDS;

/** Requests that work unchanged against the demo community. */
export const FEED_EXAMPLES: Record<FeedType, Record<string, Example>> = {
  'for-you': {
    page: {
      summary: 'Recommended items for a user',
      value: { user_id: VIEWER, top_k: 5, return_metadata: true },
    },
    remembered: {
      summary: 'One channel, recording impressions: send it again for the next page',
      value: {
        user_id: OTHER_VIEWER,
        top_k: 3,
        impression_count: 3,
        seen: { mode: 'last' },
        filters: { channels: [CHANNEL] },
      },
    },
    following: {
      summary: 'The last month of followed users',
      value: {
        user_id: VIEWER,
        top_k: 5,
        filters: { author_ids: 'following', start_timestamp: 'days_ago:30' },
        show_interacted_items: true,
      },
    },
  },
  trending: {
    page: { summary: 'What is trending now', value: { top_k: 5, return_metadata: true } },
    channel: {
      summary: 'One channel, without items that the user has seen',
      value: { user_id: VIEWER, top_k: 5, filters: { channels: [CHANNEL] } },
    },
  },
  popular: {
    page: { summary: 'Most popular items', value: { top_k: 5, return_metadata: true } },
    week: {
      summary: 'Most popular items of the last week',
      value: { top_k: 5, filters: { start_timestamp: 'days_ago:7' } },
    },
  },
};
