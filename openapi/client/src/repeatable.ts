import { uniqueId } from './machine.ts';
import type { Input } from './operations.ts';

/** Which calls may be sent again after a lost answer, and what makes them so. */

/** `POST` operations that change nothing, or change nothing when they are sent again. */
const REPEATABLE_POST =
  /^\/v2\/\{network\}\/(items|users|users\/recommended|follows|blocks|interactions|impressions|(casts\/feed|feeds)\/.*)$|^\/\{chain\}\/items$|^\/api\/(feed\/configs|feed\/preview|tokens)$/;
const FEED = /^\/v2\/\{network\}\/(casts\/feed|feeds)\/[^/]+$/;
const INTERACTIONS = '/v2/{network}/interactions';

type Fields = Readonly<Record<string, unknown>>;

/** Whether the same call may be sent again although the service may have processed it. */
export function isRepeatable(method: string, path: string, { headers, body }: Input): boolean {
  // With a revision, the second call fails because the first one succeeded.
  if (method === 'PATCH') return headers?.['if-match'] === undefined;
  if (method !== 'POST') return true;
  if (path === '/{chain}/events') return isObject(body) && isGiven(body.timestamp);
  return REPEATABLE_POST.test(path);
}

/**
 * The body with identifiers by which the service recognises a call that is sent again.
 * @param has_viewer whether the credential names the viewer
 */
export function withIdentifiers(path: string, body: unknown, has_viewer: boolean): unknown {
  if (FEED.test(path)) return withRequestId(body, has_viewer);
  if (path !== INTERACTIONS) return body;
  return Array.isArray(body) ? body.map(withEventId) : withEventId(body);
}

/** A page that records impressions gets a `request_id`, so that a retry returns the same page. */
function withRequestId(body: unknown, has_viewer: boolean): unknown {
  if (!isObject(body) || !(Number(body.impression_count) > 0) || isGiven(body.request_id)) return body;
  // Nothing is recorded without a viewer.
  if (!has_viewer && !isGiven(body.user_id) && !isGiven(body.wallet_address)) return body;
  return { ...body, request_id: uniqueId() };
}

/** The service takes each comment with neither an identifier nor a time as a new one. */
function withEventId(record: unknown): unknown {
  if (!isObject(record) || record.event_type !== 'comment' || record.action === 'remove') return record;
  if (isGiven(record.event_id) || isGiven(record.timestamp)) return record;
  return { ...record, event_id: uniqueId() };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
