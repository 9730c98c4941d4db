import { Type } from '@sinclair/typebox';
import { Integer, ListOf, ObjectOf, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { objectOf, optional, recordType, required } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import { json, NOT_STORED, warned } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { route } from '../transport/route.ts';
import { TOKENS } from './admissions.ts';
import { TOKEN_RIGHTS } from './viewer-tokens.ts';

const NEW_TOKEN = recordType('NewViewerToken', 'The viewer and the lifetime.', {
  user_id: required(type.Identifier, 'The viewer whose feeds the token reads.', EXAMPLE_IDS.viewer),
  ttl_seconds: required(type.integer(1, LIMITS.token_seconds_max), 'Lifetime of the token, seconds.', 3_600),
  may: optional(
    type.list(type.word(TOKEN_RIGHTS), 0, TOKEN_RIGHTS.length, 'rights'),
    'What the token may change of its viewer. The key needs the scope `ingest:write` then. Absent: nothing.',
    ['preferences'],
  ),
});

const ViewerTokenSchema = ObjectOf('A viewer token.', {
  token: Text('The token. Send it as `Authorization: Bearer <token>`.', 'flv1.WyJrZXlfWms…'),
  expires_at: Integer('Time when it expires, seconds since the epoch.', 1_767_229_200),
  warnings: Type.Optional(ListOf('Fields that were ignored.', Type.String())),
});

/** `POST /api/tokens`. */
export const tokenRoutes = [
  route('POST', '/api/tokens', {
    admit: TOKENS,
    answered_by: 'any',
    // A token is a secret, so caches must not store it.
    headers: NOT_STORED,
    body: bodyOf(objectOf(NEW_TOKEN), {
      docs: {
        description: 'The viewer.',
        examples: {
          hour: {
            summary: 'A token for an hour',
            value: { user_id: EXAMPLE_IDS.viewer, ttl_seconds: 3_600 },
          },
        },
      },
    }),
    answer: json(ViewerTokenSchema),
    docs: {
      tag: 'Keys',
      id: 'createViewerToken',
      summary: 'Create a viewer token',
      description:
        'Creates a token that reads the feeds of one viewer, so that an app or a page does not have to contain a key. If a feed request has no `user_id`, the viewer of the token is used; a different `user_id` is refused with 403. A token expires at the given time, and ends earlier if the key that made it is revoked or expires. Its requests count against the rate limit of that key. A token cannot create tokens.',
    },
    handle: ({ host, request, body: { user_id, ttl_seconds, may }, warnings }) => ({
      ...host.keys().viewerToken(request.headers, user_id, ttl_seconds, may),
      ...warned(warnings),
    }),
  }),
];
