import { Type } from '@sinclair/typebox';
import { AUDIT_ACTIONS } from '../../store/audit-entry.ts';
import { named } from '../openapi/schema.ts';

const AuditEntrySchema = named(
  'AuditEntry',
  Type.Object(
    {
      audit_id: Type.Integer({ description: 'Counts up over all accounts, in the order of the changes.' }),
      at: Type.Integer({ description: 'When, in seconds since the epoch.', example: 1_767_225_600 }),
      actor: Type.String({
        description:
          'Who: the id of a key, `FEEDLOOM_API_KEY` for the key in the settings, or `cli:` and the name of the account of the machine that ran a command.',
        example: 'key_Zk2f0pXw9aQe',
      }),
      action: Type.Union(
        AUDIT_ACTIONS.map((action) => Type.Literal(action)),
        { description: 'What they did.' },
      ),
      object: Type.String({ description: 'The id of the feed or key.', example: 'feed_1' }),
      revision: Type.Optional(
        Type.Integer({ description: 'Of a feed that was not deleted: its revision after the change.' }),
      ),
    },
    { description: 'A change of a feed or key.' },
  ),
);

export const AuditSchema = Type.Object(
  { data: Type.Array(AuditEntrySchema, { description: 'The entries, newest first.' }) },
  { description: 'Changes of feeds and keys.' },
);
