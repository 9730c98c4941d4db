import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { IntegerOrNull, ListOf, ObjectOf, Text, TextOrNull } from '../../answer/schema-parts.ts';
import { objectOf, recordType, required } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import { SCOPES } from '../../store/keys.ts';
import { described } from '../openapi/operation.ts';
import { namedObject } from '../openapi/schema.ts';
import { ANY_KEY, boundedBodies } from '../transport/bodies.ts';
import { bodyOf, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';

const CODE = recordType('ConsoleCode', 'A one-time code.', {
  code: required(type.text(), 'The code from the link, `/console#code=<code>`.', 'q5U0…'),
});

const CredentialsSchema = ObjectOf('What the session sends with its requests.', {
  api_key: Text('A key. Send it as `Authorization: Bearer <key>`.', 'fl_…'),
});

const SessionSchema = namedObject('Session', 'The key of the request.', {
  account: Text('The account of the key.', 'my-app'),
  key_id: Text('Id of the key. `FEEDLOOM_API_KEY` for the key from the settings.', 'key_Zk2f0pXw9aQe'),
  key_name: TextOrNull('Name of the key. null: it has none.', 'console'),
  scopes: ListOf('What the key allows.', Type.Union(SCOPES.map((scope) => Type.Literal(scope)))),
  expires_at: IntegerOrNull(
    'Time when the key expires, seconds since the epoch. null: never.',
    1_767_225_600,
  ),
  network: Text(
    'The network of the service. `/v2/<network>/…` is the same as `/v2/community/…`.',
    'farcaster',
  ),
  chain: Text('The `<chain>` of the paths `/<chain>/…`.', 'base'),
});

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
      ({ body: { value }, set }) => {
        // The answer is a secret, so caches must not store it.
        set.headers['cache-control'] = 'no-store';
        return { api_key: host.console_codes.exchange(value.code) };
      },
      {
        parse: 'bounded_code',
        body: bodyOf(objectOf(CODE)),
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
