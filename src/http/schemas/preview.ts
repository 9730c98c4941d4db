import { Type } from '@sinclair/typebox';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import { namedObject } from '../openapi/schema.ts';
import { FEED_FIELDS } from './feed-config.ts';
import { feedRequestFields } from './feed-request.ts';

const { user_id, wallet_address, top_k, explain, seed } = feedRequestFields('popular');

export const PreviewSchema = namedObject(
  'Preview',
  'A feed in the form in which it would be saved, and the viewer. A for-you feed needs `user_id` or `wallet_address`.',
  {
    endpoint: Type.Optional(FEED_FIELDS.endpoint),
    config: Type.Optional(FEED_FIELDS.config),
    user_id,
    wallet_address,
    top_k: {
      ...top_k,
      description: 'Number of items. Overrides the value in `config`. For-you: at most 500.',
    },
    explain,
    seed,
  },
);

export const PREVIEW_EXAMPLES = {
  music: {
    summary: 'Music of the last month, for one user',
    value: {
      endpoint: 'feeds/for-you',
      config: {
        filters: { channels: ['https://example.community/channel/music'], start_timestamp: 'days_ago:30' },
        time_decay: 'medium',
      },
      user_id: EXAMPLE_IDS.viewer,
      top_k: 5,
      explain: true,
    },
  },
};
