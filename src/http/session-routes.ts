import { Elysia } from 'elysia';
import { SCOPES } from '../store/keys.ts';
import { ANY_KEY, boundedBodies } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described } from './openapi/operation.ts';
import { CodeSchema, CredentialsSchema, SessionSchema } from './schemas/session.ts';

const DOCS = {
  create: described({
    tag: 'Console',
    id: 'createConsoleSession',
    summary: 'Sign in with a one-time code',
    description:
      'Exchanges the code of a link that `feedloom demo` prints for a key. A code works once, within ten minutes, and ends with the process. After ten wrong codes within a minute further wrong ones get 429 for up to a minute. Needs no key.',
    // A code works once, so no example would.
    body: { description: 'The code.', examples: {} },
    errors: ['unauthorized', 'rate_limited', 'overloaded', 'loading', 'shutting_down'],
  }),
  read: described({
    tag: 'Console',
    id: 'readSession',
    summary: 'The key of this request',
    description: 'Tells which account and key a request is sent with, and what they allow.',
    admission: ANY_KEY,
    errors: ['forbidden'],
  }),
};

/** `POST /api/console/session` and `GET /api/session`. */
export function sessionRoutes(host: Host, network: string, chain: string) {
  return new Elysia({ prefix: '/api' })
    .use(boundedBodies(host))
    .post(
      '/console/session',
      ({ body: { code }, set }) => {
        // The answer is a secret, so caches must not store it.
        set.headers['cache-control'] = 'no-store';
        return { api_key: host.console_codes.exchange(code) };
      },
      {
        parse: 'bounded_code',
        body: CodeSchema,
        response: { 200: unchecked(CredentialsSchema) },
        detail: DOCS.create,
      },
    )
    .get(
      '/session',
      ({ request, set }) => {
        const { account, actor, name, scopes, expires_at } = host.admitted(request);
        set.headers['cache-control'] = 'no-store';
        return {
          account,
          key_id: actor,
          key_name: name,
          scopes: SCOPES.filter((scope) => scopes.has(scope)),
          expires_at: expires_at === null ? null : Math.floor(expires_at),
          network,
          chain,
        };
      },
      {
        transform: ({ request }) => host.admit(request, ANY_KEY),
        response: { 200: unchecked(SessionSchema) },
        detail: DOCS.read,
      },
    );
}
