import { Type } from '@sinclair/typebox';
import { IntegerOrNull, ListOf, ObjectOf, Text, TextOrNull } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { objectOf, recordType, required } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import type { Settings } from '../../settings.ts';
import { SCOPES } from '../../store/keys.ts';
import { ANY_KEY, withoutKey } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json, NOT_STORED } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { namedJson } from '../transport/read-body.ts';
import { route } from '../transport/route.ts';

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

/** `POST /api/console/session` and `GET /api/session`. */
export function sessionRoutes({ network, chain }: Pick<Settings, 'network' | 'chain'>) {
  const create = route('POST', '/api/console/session', {
    admit: withoutKey('sign-ins with a code'),
    answered_by: 'any',
    headers: NOT_STORED,
    body: bodyOf(objectOf(CODE), {
      bytes_max: LIMITS.small_body_bytes_max,
      form: namedJson,
      // A code works once, so no example would.
      docs: { description: 'The code.', examples: {} },
    }),
    answer: json(CredentialsSchema),
    docs: {
      tag: 'Console',
      id: 'createConsoleSession',
      summary: 'Sign in with a one-time code',
      description:
        'Exchanges the code of a link that `feedloom demo` prints for a key. A code works once, within ten minutes, and ends with the process. After ten wrong codes within a minute further wrong ones get 429 for up to a minute. Needs no key.',
      errors: ['unauthorized', 'rate_limited', 'overloaded', 'loading', 'shutting_down'],
    },
    handle: ({ host, body: { code } }) => ({ api_key: host.console_codes.exchange(code) }),
  });
  const read = route('GET', '/api/session', {
    admit: ANY_KEY,
    answered_by: 'any',
    headers: NOT_STORED,
    answer: json(SessionSchema),
    docs: {
      tag: 'Console',
      id: 'readSession',
      summary: 'The key of this request',
      description: 'Tells which account and key a request is sent with, and what they allow.',
      errors: ['forbidden'],
    },
    handle: ({ principal: { account, actor, name, scopes, expires_at } }) => ({
      account,
      key_id: actor,
      key_name: name,
      scopes: SCOPES.filter((scope) => scopes.has(scope)),
      expires_at: expires_at === null ? null : Math.floor(expires_at),
      network,
      chain,
    }),
  });
  return [create, read];
}
