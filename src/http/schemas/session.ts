import { Type } from '@sinclair/typebox';
import { IntegerOrNull, ListOf, ObjectOf, Text, TextOrNull } from '../../answer/schema-parts.ts';
import { refuse } from '../../ingest/records/refusal.ts';
import { SCOPES } from '../../store/keys.ts';
import { checkedBy } from '../checked.ts';
import { named, namedObject } from '../openapi/schema.ts';

export const CodeSchema = named(
  'ConsoleCode',
  Type.Object(
    {
      code: checkedBy<string>(
        Type.String({
          minLength: 1,
          description: 'The code from the link, `/console#code=<code>`.',
          example: 'q5U0…',
        }),
        (value) =>
          typeof value === 'string' && value !== '' ? value : refuse('must be the code of a link, a string'),
      ),
    },
    { description: 'A one-time code.', additionalProperties: true },
  ),
);

export const CredentialsSchema = ObjectOf('What the session sends with its requests.', {
  api_key: Text('A key. Send it as `Authorization: Bearer <key>`.', 'fl_…'),
});

export const SessionSchema = namedObject('Session', 'The key of the request.', {
  account: Text('The account of the key.', 'my-app'),
  key_id: Text('Id of the key. `FEEDLOOM_API_KEY` for the key from the settings.', 'key_Zk2f0pXw9aQe'),
  key_name: TextOrNull('Name of the key. null: it has none.', 'console'),
  scopes: ListOf('What the key allows.', Type.Union(SCOPES.map((scope) => Type.Literal(scope)))),
  expires_at: IntegerOrNull(
    'Time when the key expires, seconds since the epoch. null: never.',
    1_767_225_600,
  ),
  network: Text('The `<network>` of the paths `/v2/<network>/…`.', 'farcaster'),
  chain: Text('The `<chain>` of the paths `/<chain>/…`.', 'base'),
});
