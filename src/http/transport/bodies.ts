import { Elysia } from 'elysia';
import { LIMITS } from '../../limits.ts';
import type { Admission } from '../identity/auth.ts';
import { peerOf } from '../nodes/peers.ts';
import type { Host } from './host.ts';
import { readJson, readNamedJson, readRecords } from './read-body.ts';
import type { KeylessKind } from './request-bounds.ts';
import { strictParameters } from './url-parameters.ts';

/** Any key is accepted. */
export const ANY_KEY: Admission = {};

export const ADMISSIONS = {
  feeds: { scope: 'feed:read', viewer_tokens: true },
  tokens: { scope: 'feed:read' },
  configs: { scope: 'config:write' },
  ingest: { scope: 'ingest:write' },
  // One of these is enough.
  moderators: { scope: ['ingest:write', 'config:write'] },
  // The token and NFT API has no rate limit.
  catalog: { scope: 'ingest:write', limited: false },
} as const satisfies Record<string, Admission>;

/**
 * The named parsers of the routes: each admits the request, and then reads the body within the limits of its size, of
 * the memory for bodies and of time. So a caller without a key cannot send a body.
 *
 * An empty body is null, or `{}` where a body may be empty. Elysia uses the names as variables.
 */
export function boundedBodies(host: Host) {
  const bounded =
    (admission: Admission | KeylessKind, bytes_max: number, read: typeof readJson) =>
    async ({ request }: { request: Request }): Promise<unknown> => {
      if (typeof admission === 'string') host.withoutKey(request, admission);
      else host.admit(request, admission);
      // Elysia would read the body again if it were undefined.
      return (await read(request, host.room(request, bytes_max))) ?? null;
    };
  const { feeds, tokens, configs, ingest, moderators, catalog } = ADMISSIONS;
  const { body_bytes_max, feed_body_bytes_max, config_body_bytes_max, small_body_bytes_max } = LIMITS;
  return new Elysia({ name: 'bounded-bodies' })
    .parser('bounded_feed_request', bounded(feeds, feed_body_bytes_max, readJson))
    .parser('bounded_token', bounded(tokens, feed_body_bytes_max, readObject))
    .parser('bounded_listing', bounded(configs, config_body_bytes_max, readObject))
    .parser('bounded_config', bounded(configs, config_body_bytes_max, readJson))
    .parser('bounded_identifiers', bounded(moderators, feed_body_bytes_max, readObject))
    .parser('bounded_follow_list', bounded(ingest, body_bytes_max, readJson))
    .parser('bounded_records', bounded(ingest, body_bytes_max, readRecords))
    .parser('bounded_catalog', bounded(catalog, body_bytes_max, readRecords))
    .parser('bounded_internal', async ({ request }: { request: Request }) => {
      peerOf(host, request);
      return (await readJson(request, host.room(request, feed_body_bytes_max))) ?? null;
    })
    .parser('bounded_event', bounded('wallet events', small_body_bytes_max, readNamedJson))
    .parser('bounded_code', bounded('sign-ins with a code', small_body_bytes_max, readNamedJson));
}

/** Reads a body that may be empty, which is the same as `{}`. */
const readObject: typeof readJson = async (request, room) => (await readJson(request, room)) ?? {};

/** The beginning of routes that all need the same key, and read parameters strictly. */
export function keyedRoutes<const Prefix extends string>(host: Host, prefix: Prefix, admission: Admission) {
  return new Elysia({ prefix })
    .use(boundedBodies(host))
    .onTransform(({ request }) => host.admit(request, admission))
    .onTransform(strictParameters);
}
