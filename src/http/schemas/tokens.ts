import { Type } from '@sinclair/typebox';
import { LIMITS } from '../../limits.ts';
import type { Content } from '../openapi/operation.ts';
import { named } from '../openapi/schema.ts';

export const NEW_TOKEN_CONTENT: Content = {
  schema: named(
    'NewViewerToken',
    Type.Object(
      {
        user_id: Type.Union(
          [Type.String({ minLength: 1, maxLength: LIMITS.id_length_max }), Type.Integer()],
          { description: 'The viewer whose feeds the token reads.', example: '42' },
        ),
        ttl_seconds: Type.Integer({
          minimum: 1,
          maximum: LIMITS.token_seconds_max,
          description: 'Lifetime of the token, seconds.',
          example: 3_600,
        }),
      },
      { description: 'The viewer and the lifetime.' },
    ),
  ),
  examples: {
    hour: { summary: 'A token for one viewer and one hour', value: { user_id: '1', ttl_seconds: 3_600 } },
  },
};

export const ViewerTokenSchema = Type.Object(
  {
    token: Type.String({
      description: 'The token. Send it as `Authorization: Bearer <token>`.',
      example: 'flv1.WyJrZXlfWms…',
    }),
    expires_at: Type.Integer({
      description: 'Time when it expires, seconds since the epoch.',
      example: 1_767_229_200,
    }),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'Fields that were ignored.' })),
  },
  { description: 'A viewer token.' },
);
