import { Type } from '@sinclair/typebox';
import { refuse } from '../../ingest/records/refusal.ts';
import { SCOPES } from '../../store/keys.ts';
import { checkedBy } from '../checked.ts';
import { named } from '../openapi/schema.ts';

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

export const CredentialsSchema = Type.Object(
  {
    api_key: Type.String({
      description: 'A key. Send it as `Authorization: Bearer <key>`.',
      example: 'fl_…',
    }),
  },
  { description: 'What the session sends with its requests.' },
);

export const SessionSchema = named(
  'Session',
  Type.Object(
    {
      account: Type.String({ description: 'The account of the key.', example: 'my-app' }),
      key_id: Type.String({
        description: 'Id of the key. `FEEDLOOM_API_KEY` for the key from the settings.',
        example: 'key_Zk2f0pXw9aQe',
      }),
      key_name: Type.Union([Type.String(), Type.Null()], {
        description: 'Name of the key. null: it has none.',
        example: 'console',
      }),
      scopes: Type.Array(Type.Union(SCOPES.map((scope) => Type.Literal(scope))), {
        description: 'What the key allows.',
      }),
      expires_at: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Time when the key expires, seconds since the epoch. null: never.',
        example: 1_767_225_600,
      }),
      network: Type.String({
        description: 'The `<network>` of the paths `/v2/<network>/…`.',
        example: 'farcaster',
      }),
      chain: Type.String({
        description: 'The `<chain>` of the paths `/<chain>/…`.',
        example: 'base',
      }),
    },
    { description: 'The key of the request.' },
  ),
);
