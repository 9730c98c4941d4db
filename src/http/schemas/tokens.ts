import { Type } from '@sinclair/typebox';
import { Integer, ListOf, ObjectOf, Text } from '../../answer/schema-parts.ts';
import { identifier } from '../../ingest/records/checks.ts';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import { refuse } from '../../ingest/records/refusal.ts';
import { LIMITS } from '../../limits.ts';
import { checkedBy } from '../checked.ts';
import { named } from '../openapi/schema.ts';

export const NewTokenSchema = named(
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

export const ViewerTokenSchema = ObjectOf('A viewer token.', {
  token: Text('The token. Send it as `Authorization: Bearer <token>`.', 'flv1.WyJrZXlfWms…'),
  expires_at: Integer('Time when it expires, seconds since the epoch.', 1_767_229_200),
  warnings: Type.Optional(ListOf('Fields that were ignored.', Type.String())),
});
