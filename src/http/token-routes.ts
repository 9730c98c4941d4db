import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { Integer, ListOf, ObjectOf, Text } from '../answer/schema-parts.ts';
import { warningsFor } from '../feeds/check-parameters.ts';
import { LIMITS } from '../limits.ts';
import { EXAMPLE_IDS } from '../model/records/example-ids.ts';
import { identifier } from '../model/values/checks.ts';
import { refuse } from '../model/values/refusal.ts';
import { ADMISSIONS, boundedBodies } from './bodies.ts';
import { checkedBy, unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described } from './openapi/operation.ts';
import { named } from './openapi/schema.ts';

const NewTokenSchema = named(
  'NewViewerToken',
  Type.Object(
    {
      user_id: checkedBy(
        Type.Union([Type.String({ minLength: 1, maxLength: LIMITS.id_length_max }), Type.Integer()], {
          description: 'The viewer whose feeds the token reads.',
          example: EXAMPLE_IDS.viewer,
        }),
        (value) => (value === undefined || value === null ? refuse('is required') : identifier(value)),
      ),
      ttl_seconds: Type.Integer({
        minimum: 1,
        maximum: LIMITS.token_seconds_max,
        description: 'Lifetime of the token, seconds.',
        example: 3_600,
      }),
    },
    { description: 'The viewer and the lifetime.', additionalProperties: true },
  ),
);

const ViewerTokenSchema = ObjectOf('A viewer token.', {
  token: Text('The token. Send it as `Authorization: Bearer <token>`.', 'flv1.WyJrZXlfWms…'),
  expires_at: Integer('Time when it expires, seconds since the epoch.', 1_767_229_200),
  warnings: Type.Optional(ListOf('Fields that were ignored.', Type.String())),
});

/** `POST /api/tokens`. */
export function tokenRoutes(host: Host) {
  return new Elysia({ prefix: '/api' }).use(boundedBodies(host)).post(
    '/tokens',
    ({ request, set, body: { user_id, ttl_seconds, ...others } }) => {
      // A token is a secret, so caches must not store it.
      set.headers['cache-control'] = 'no-store';
      const token = host.keys().viewerToken(request.headers, user_id, ttl_seconds);
      const warnings = warningsFor(Object.keys(others), '', 'ignored');
      return warnings.length > 0 ? { ...token, warnings } : token;
    },
    {
      parse: 'bounded_token',
      body: NewTokenSchema,
      response: { 200: unchecked(ViewerTokenSchema) },
      detail: described({
        tag: 'Keys',
        id: 'createViewerToken',
        summary: 'Create a viewer token',
        description:
          'Creates a token that reads the feeds of one viewer, so that an app or a page does not have to contain a key. If a feed request has no `user_id`, the viewer of the token is used; a different `user_id` is refused with 403. A token expires at the given time, and ends earlier if the key that made it is revoked or expires. Its requests count against the rate limit of that key. A token cannot create tokens.',
        admission: ADMISSIONS.tokens,
        body: {
          description: 'The viewer.',
          examples: {
            hour: {
              summary: 'A token for an hour',
              value: { user_id: EXAMPLE_IDS.viewer, ttl_seconds: 3_600 },
            },
          },
        },
      }),
    },
  );
}
