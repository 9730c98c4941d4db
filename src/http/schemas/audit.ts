import { Type } from '@sinclair/typebox';
import { AUDIT_ACTIONS } from '../../store/audit-entry.ts';
import { named } from '../openapi/schema.ts';

const AuditEntrySchema = named(
  'AuditEntry',
  Type.Object(
    {
      audit_id: Type.Integer({ description: 'Ascending number of the change, over all accounts.' }),
      at: Type.Integer({
        description: 'Time of the change, seconds since the epoch.',
        example: 1_767_225_600,
      }),
      actor: Type.String({
        description:
          'Who made the change: the id of a key, `FEEDLOOM_API_KEY` for the key from the settings, or `cli:` and the operating system account that ran a command.',
        example: 'key_Zk2f0pXw9aQe',
      }),
      action: Type.Union(
        AUDIT_ACTIONS.map((action) => Type.Literal(action)),
        { description: 'Kind of change.' },
      ),
      object: Type.String({ description: 'Id of the feed, experiment or key.', example: 'feed_1' }),
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
    },
    { description: 'A change of a feed, experiment or key.' },
  ),
);

export const AuditSchema = Type.Object(
  { data: Type.Array(AuditEntrySchema, { description: 'The entries, newest first.' }) },
  { description: 'Changes of feeds, experiments and keys.' },
);
