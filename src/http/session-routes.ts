import { Elysia } from 'elysia';
import { invalidValue } from '../errors.ts';
import { asObject } from '../feeds/feed-object.ts';
import { SCOPES } from '../store/keys.ts';
import { readJson } from './body.ts';
import type { Host } from './host.ts';
import { documented } from './openapi/operation.ts';
import { CODE_CONTENT, CredentialsSchema, SessionSchema } from './schemas/session.ts';

const DOCS = {
  create: documented({
    tag: 'Console',
    id: 'createConsoleSession',
    summary: 'Sign in with a one-time code',
    description:
      'Exchanges the code of a link that `feedloom demo` prints for a key. A code works once, within ten minutes, and ends with the process. After ten wrong codes within a minute all codes are refused for up to a minute. Needs no key.',
    body: { description: 'The code.', required: true, content: [CODE_CONTENT] },
    answers: { 200: { description: 'The key.', content: { schema: CredentialsSchema } } },
    errors: ['unauthorized', 'rate_limited', 'overloaded', 'loading', 'shutting_down'],
  }),
  read: documented({
    tag: 'Console',
    id: 'readSession',
    summary: 'The key of this request',
    description: 'Tells which account and key a request is sent with, and what they allow.',
    key: 'any',
    answers: { 200: { description: 'The key.', content: { schema: SessionSchema } } },
    errors: ['forbidden'],
  }),
};

/** `POST /api/console/session` and `GET /api/session`. */
export function sessionRoutes(host: Host, network: string) {
  return new Elysia({ prefix: '/api' })
    .post(
      '/console/session',
      async ({ request, set }) => {
        host.withoutKey(request);
        const { code } = asObject((await readJson(request, host.roomWithoutKey(request))) ?? {});
        if (typeof code !== 'string' || code === '')
          throw invalidValue([{ path: '/code', message: 'must be the code of a link, a string' }]);
        // The answer is a secret, so caches must not store it.
        set.headers['cache-control'] = 'no-store';
        return { api_key: host.console_codes.exchange(code) };
      },
      { parse: 'none', ...DOCS.create },
    )
    .get(
      '/session',
      ({ request, set }) => {
        const { account, actor, name, scopes, expires_at } = host.authenticate(request);
        set.headers['cache-control'] = 'no-store';
        return {
          account,
          key_id: actor,
          key_name: name,
          scopes: SCOPES.filter((scope) => scopes.has(scope)),
          expires_at: expires_at === null ? null : Math.floor(expires_at),
          network,
        };
      },
      DOCS.read,
    );
}
