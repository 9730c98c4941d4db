import { Type } from '@sinclair/typebox';
import { Integer, ListOf, ObjectOf, OneOf, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { AUDIT_ACTIONS, type AuditEntry } from '../../store/audit-entry.ts';
import { described } from '../openapi/operation.ts';
import { namedObject } from '../openapi/schema.ts';
import { ADMISSIONS, keyedRoutes } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { integerParameter, queryOf } from '../transport/url-parameters.ts';

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

const AuditSchema = ObjectOf('Changes of feeds, experiments and keys.', {
  data: ListOf('The entries, newest first.', AuditEntrySchema),
});

const LIMIT = { min: 1, max: LIMITS.audit_listed_max, absent: LIMITS.audit_listed_default };
const OFFSET = { min: 0, max: LIMITS.audit_offset_max, absent: 0 };

const LISTING = queryOf({
  limit: integerParameter(LIMIT, 'Maximum number of entries.'),
  offset: integerParameter(OFFSET, 'Number of entries to skip.'),
});

/** `GET /api/audit`. */
export function auditRoutes(host: Host) {
  return keyedRoutes(host, '/api', ADMISSIONS.configs).get(
    '/audit',
    async ({ request, query: { limit, offset } }) => {
      const { service, account } = host.admitted(request);
      const entries = await service.store.audit.entries(account, limit, offset);
      return { data: entries.map(wireForm) };
    },
    {
      query: LISTING,
      response: { 200: unchecked(AuditSchema) },
      detail: described({
        tag: 'Audit',
        id: 'listAudit',
        summary: 'Read the audit log',
        description: `Lists the changes of the account's feeds, experiments and keys, newest first: feeds and experiments that were created, changed, stopped, deleted or imported, and keys that were created or revoked. An entry is stored together with its change. Changes of one object by one key within a minute are one entry, with their number and the last of them. Entries are kept for ${LIMITS.audit_kept_seconds / 86_400} days, and the latest ${LIMITS.audit_entries_max} about keys and about all else longer. A key with more than ${LIMITS.audit_entries_max} entries in that time gets one entry a day for each action.`,
        admission: ADMISSIONS.configs,
        errors: ['invalid_value', 'store_unavailable'],
      }),
    },
  );
}

function wireForm({ audit_id, at, actor, action, object, revision, count }: AuditEntry): object {
  const entry = { audit_id, at: Math.floor(at), actor, action, object, count };
  return revision === null ? entry : { ...entry, revision };
}
