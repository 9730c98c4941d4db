import { Type } from '@sinclair/typebox';
import { Integer, ListOf, ObjectOf, OneOf, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { AUDIT_ACTIONS, type AuditEntry } from '../../store/audit-entry.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json } from '../transport/answers.ts';
import { integerParameter } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';

const AuditEntrySchema = namedObject('AuditEntry', 'A change of a feed, experiment or key.', {
  audit_id: Integer('Ascending number of the change, over all accounts.'),
  at: Integer('Time of the change, seconds since the epoch.', 1_767_225_600),
  actor: Text(
    'Who made the change: the id of a key, `FEEDLOOM_API_KEY` for the key from the settings, `cli:` and the operating system account that ran a command, or `service` for what no one asked for.',
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

const AuditSchema = ObjectOf('Changes of feeds, experiments and keys.', {
  data: ListOf('The entries, newest first.', AuditEntrySchema),
});

const LIMIT = { min: 1, max: LIMITS.audit_listed_max, absent: LIMITS.audit_listed_default };
const OFFSET = { min: 0, max: LIMITS.audit_offset_max, absent: 0 };

/** `GET /api/audit`. */
export const auditRoutes = [
  route('GET', '/api/audit', {
    admit: CONFIGS,
    answered_by: 'current',
    query: {
      limit: integerParameter(LIMIT, 'Maximum number of entries.'),
      offset: integerParameter(OFFSET, 'Number of entries to skip.'),
    },
    answer: json(AuditSchema),
    docs: {
      tag: 'Audit',
      id: 'listAudit',
      summary: 'Read the audit log',
      description: `Lists the changes of the account's feeds, experiments and keys, newest first: feeds and experiments that were created, changed, stopped, deleted or imported, and keys that were created or revoked. An entry is stored together with its change. Changes of one object by one key within a minute are one entry, with their number and the last of them. Entries are kept for ${LIMITS.audit_kept_seconds / 86_400} days, and the latest ${LIMITS.audit_entries_max} about keys and about all else longer. A key with more than ${LIMITS.audit_entries_max} entries in that time gets one entry a day for each action.`,
      errors: ['store_unavailable'],
    },
    async handle({ service, principal: { account }, query: { limit, offset } }) {
      const entries = await service.store.audit.entries(account, limit, offset);
      return { data: entries.map(wireForm) };
    },
  }),
];

function wireForm({ audit_id, at, actor, action, object, revision, count }: AuditEntry) {
  const entry = { audit_id, at: Math.floor(at), actor, action, object, count };
  return revision === null ? entry : { ...entry, revision };
}
