import { Type } from '@sinclair/typebox';
import { ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { namedObject } from '../openapi/schema.ts';

const FeedRevisionSchema = namedObject('FeedRevision', 'A change of a feed.', {
  revision: Type.Integer({
    minimum: 1,
    description: 'Revision of the feed after the change.',
    example: 7,
  }),
  at: Seconds('Time of the change.'),
  actor: Text(
    'Who made the change, as in the audit log: the id of a key, `FEEDLOOM_API_KEY`, or `cli:` and the operating system account that ran a command. `unknown` for a change from before revisions were kept.',
    'key_Zk2f0pXw9aQe',
  ),
  key_name: Type.Optional(Text('Name of that key. Absent if it has none.', 'console')),
});

export const RevisionsSchema = ObjectOf('Revisions of a feed.', {
  data: Type.Array(FeedRevisionSchema, {
    maxItems: LIMITS.feed_revisions_listed_max,
    description: 'The kept revisions, newest first.',
  }),
});

const DeletedFeedSchema = namedObject('DeletedFeed', 'A feed that was deleted and can be restored.', {
  config_id: Text('Id of the feed.', 'feed_1'),
  name: Text('Its name.', 'Home'),
  endpoint: Text('Its feed type.', 'feeds/for-you'),
  revision: Type.Integer({
    minimum: 1,
    description: 'Its last revision before the deletion.',
    example: 7,
  }),
  deleted_at: Seconds('Time of the deletion.'),
  restorable_until: Seconds('Until then it can be restored.'),
});

export const DeletedFeedsSchema = ObjectOf('Deleted feeds.', {
  data: Type.Array(DeletedFeedSchema, {
    maxItems: LIMITS.deleted_feeds_listed_max,
    description: 'The deleted feeds, the latest deletion first.',
  }),
});
