import { Elysia } from 'elysia';
import { type Fault, invalidValue } from '../errors.ts';
import { warningsFor } from '../feeds/check-parameters.ts';
import { asObject } from '../feeds/feed-object.ts';
import { identifier } from '../ingest/records/checks.ts';
import { Refusal, refuse } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import { readJson } from './body.ts';
import type { Host } from './host.ts';
import { documented } from './openapi/operation.ts';
import { NEW_TOKEN_CONTENT, ViewerTokenSchema } from './schemas/tokens.ts';

const DOCS = documented({
  tag: 'Keys',
  id: 'createViewerToken',
  summary: 'Create a viewer token',
  description:
    'Creates a token that reads the feeds of one viewer, so that an app or a page does not have to contain a key. If a feed request has no `user_id`, the viewer of the token is used; a different `user_id` is refused with 403. A token expires at the given time, and ends earlier if the key that made it is revoked or expires. Its requests count against the rate limit of that key. A token cannot create tokens.',
  key: 'feed:read',
  body: { description: 'The viewer.', required: true, content: [NEW_TOKEN_CONTENT] },
  answers: { 200: { description: 'The token.', content: { schema: ViewerTokenSchema } } },
});

/** `POST /api/tokens`. */
export function tokenRoutes(host: Host) {
  return new Elysia({ prefix: '/api' }).post(
    '/tokens',
    async ({ request, set }) => {
      host.authenticate(request, { scope: 'feed:read' });
      const { viewer, ttl_seconds, unknown } = parse(await readJson(request, host.roomForRequest(request)));
      // A token is a secret, so caches must not store it.
      set.headers['cache-control'] = 'no-store';
      const token = host.keys().viewerToken(request.headers, viewer, ttl_seconds);
      const warnings = warningsFor(unknown, '', 'ignored');
      return warnings.length > 0 ? { ...token, warnings } : token;
    },
    { parse: 'none', ...DOCS },
  );
}

interface Wanted {
  viewer: string;
  ttl_seconds: number;
  unknown: string[];
}

/** @throws ServiceError `invalid_value` */
function parse(body: unknown): Wanted {
  const { user_id, ttl_seconds, ...others } = asObject(body ?? {});
  const faults: Fault[] = [];
  const viewer = user_id === undefined || user_id === null ? refuse('is required') : identifier(user_id);
  if (viewer instanceof Refusal)
    faults.push(...viewer.faults.map(({ message }) => ({ path: '/user_id', message })));
  const { token_seconds_max } = LIMITS;
  const fits =
    typeof ttl_seconds === 'number' &&
    Number.isInteger(ttl_seconds) &&
    ttl_seconds >= 1 &&
    ttl_seconds <= token_seconds_max;
  if (!fits)
    faults.push({
      path: '/ttl_seconds',
      message: `must be an integer from 1 to ${token_seconds_max}`,
    });
  if (viewer instanceof Refusal || !fits) throw invalidValue(faults);
  return { viewer, ttl_seconds, unknown: Object.keys(others) };
}
