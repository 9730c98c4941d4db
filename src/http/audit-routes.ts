import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { type Fault, invalidValue } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { Host } from './host.ts';
import { documented, type Parameter } from './openapi/operation.ts';
import { urlOf } from './request-url.ts';
import { AuditSchema } from './schemas/audit.ts';

interface Bounds {
  min: number;
  max: number;
  initial: number;
}

const LIMIT: Bounds = { min: 1, max: LIMITS.audit_listed_max, initial: LIMITS.audit_listed_default };
const OFFSET: Bounds = { min: 0, max: LIMITS.audit_entries_max, initial: 0 };

function parameter(name: string, description: string, { min, max, initial }: Bounds): Parameter {
  const schema = Type.Integer({ minimum: min, maximum: max, default: initial });
  return { name, in: 'query', description, schema, example: initial };
}

const DOCS = documented({
  tag: 'Audit',
  id: 'listAudit',
  summary: 'Read the audit log',
  description: `Lists the changes of the account's feeds and keys, newest first: feeds that were created, changed, deleted or imported, and keys that were created or revoked. An entry is stored together with its change. The latest ${LIMITS.audit_entries_max} entries of an account are kept.`,
  key: 'config:write',
  parameters: [
    parameter('limit', 'Maximum number of entries.', LIMIT),
    parameter('offset', 'Number of entries to skip.', OFFSET),
  ],
  answers: { 200: { description: 'The entries.', content: { schema: AuditSchema } } },
  errors: ['invalid_value', 'store_unavailable'],
});

/** `GET /api/audit`. */
export function auditRoutes(host: Host) {
  return new Elysia({ prefix: '/api' }).get(
    '/audit',
    async ({ request }) => {
      const { store } = host.ready();
      const { account } = host.authenticate(request, { scope: 'config:write' });
      const { limit, offset } = listing(urlOf(request).searchParams);
      const entries = await store.audit.entries(account, limit, offset);
      return { data: entries.map(wireForm) };
    },
    DOCS,
  );
}

function wireForm({ audit_id, at, actor, action, object, revision }: AuditEntry): object {
  const entry = { audit_id, at: Math.floor(at), actor, action, object };
  return revision === null ? entry : { ...entry, revision };
}

/** @throws ServiceError `invalid_value` */
function listing(query: URLSearchParams): { limit: number; offset: number } {
  const faults: Fault[] = [];
  const count = (name: string, { min, max, initial }: Bounds): number => {
    const text = query.get(name) || String(initial);
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      faults.push({ path: `/${name}`, message: `must be an integer from ${min} to ${max}` });
    return value;
  };
  const bounds = { limit: count('limit', LIMIT), offset: count('offset', OFFSET) };
  if (faults.length > 0) throw invalidValue(faults);
  return bounds;
}
