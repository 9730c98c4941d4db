import { Type } from '@sinclair/typebox';
import { Integer, ListOf, ObjectOf, OneOf, Text } from '../../answer/schema-parts.ts';
import { AUDIT_ACTIONS } from '../../store/audit-entry.ts';
import { namedObject } from '../openapi/schema.ts';

const AuditEntrySchema = namedObject('AuditEntry', 'A change of a feed, experiment or key.', {
  audit_id: Type.Integer({ description: 'Ascending number of the change, over all accounts.' }),
  at: Integer('Time of the change, seconds since the epoch.', 1_767_225_600),
  actor: Text(
    'Who made the change: the id of a key, `FEEDLOOM_API_KEY` for the key from the settings, or `cli:` and the operating system account that ran a command.',
    'key_Zk2f0pXw9aQe',
  ),
  action: OneOf(AUDIT_ACTIONS, 'Kind of change.'),
  object: Text('Id of the feed, experiment or key.', 'feed_1'),
  count: Type.Integer({
    minimum: 1,
    description:
      'Number of changes that this entry stands for: of this object by this actor within a minute. `at`, `audit_id`, `object` and `revision` are those of the last one.',
    example: 1,
  }),
  revision: Type.Optional(
    Type.Integer({
      description:
        'Revision of the feed or experiment after the change. Absent for keys and for what was deleted.',
    }),
  ),
});

export const AuditSchema = ObjectOf('Changes of feeds, experiments and keys.', {
  data: ListOf('The entries, newest first.', AuditEntrySchema),
});
