import { Type } from '@sinclair/typebox';
import { Seconds } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { named } from '../openapi/schema.ts';

const FeedRevisionSchema = named(
  'FeedRevision',
  Type.Object(
    {
      revision: Type.Integer({
        minimum: 1,
        description: 'Revision of the feed after the change.',
        example: 7,
      }),
      at: Seconds('Time of the change.'),
      actor: Type.String({
        description:
          'Who made the change, as in the audit log: the id of a key, `FEEDLOOM_API_KEY`, or `cli:` and the operating system account that ran a command. `unknown` for a change from before revisions were kept.',
        example: 'key_Zk2f0pXw9aQe',
      }),
      key_name: Type.Optional(
        Type.String({ description: 'Name of that key. Absent if it has none.', example: 'console' }),
      ),
    },
    { description: 'A change of a feed.' },
  ),
);

export const RevisionsSchema = Type.Object(
  {
    data: Type.Array(FeedRevisionSchema, {
      maxItems: LIMITS.feed_revisions_listed_max,
      description: 'The kept revisions, newest first.',
    }),
  },
  { description: 'Revisions of a feed.' },
);

const DeletedFeedSchema = named(
  'DeletedFeed',
  Type.Object(
    {
      config_id: Type.String({ description: 'Id of the feed.', example: 'feed_1' }),
      name: Type.String({ description: 'Its name.', example: 'Home' }),
      endpoint: Type.String({ description: 'Its feed type.', example: 'feeds/for-you' }),
      revision: Type.Integer({
        minimum: 1,
        description: 'Its last revision before the deletion.',
        example: 7,
      }),
      deleted_at: Seconds('Time of the deletion.'),
      restorable_until: Seconds('Until then it can be restored.'),
    },
    { description: 'A feed that was deleted and can be restored.' },
  ),
);

export const DeletedFeedsSchema = Type.Object(
  {
    data: Type.Array(DeletedFeedSchema, {
      maxItems: LIMITS.deleted_feeds_listed_max,
      description: 'The deleted feeds, the latest deletion first.',
    }),
  },
  { description: 'Deleted feeds.' },
);
