import { Type } from '@sinclair/typebox';
import { named } from '../openapi/schema.ts';

export const DeliverySchema = Type.Object(
  {},
  { additionalProperties: true, description: 'A delivery, as the sender defines it.' },
);

const WebhookSchema = named(
  'Webhook',
  Type.Object(
    {
      webhook: Type.String({ description: 'Name of the webhook, as in its path.', example: 'neynar' }),
      deliveries_count: Type.Integer({ description: 'Deliveries stored since the start.', example: 5_120 }),
      unsigned_count: Type.Integer({
        description: 'Deliveries without a valid signature since the start.',
        example: 2,
      }),
      failed_count: Type.Integer({
        description: 'Signed deliveries that could not be mapped or stored since the start.',
        example: 0,
      }),
      records_count: Type.Integer({ description: 'Records stored since the start.', example: 9_870 }),
      rejected_count: Type.Integer({ description: 'Invalid records skipped since the start.', example: 1 }),
      last_error: Type.Union([Type.String(), Type.Null()], {
        description: 'Reason of the last failure of a signed delivery.',
        example: null,
      }),
      last_error_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Its time.', example: null }),
      last_stored_at: Type.Union([Type.Integer(), Type.Null()], {
        description: 'When a delivery was last stored.',
        example: 1_767_225_600,
      }),
    },
    { description: 'A webhook that receives deliveries of another service.' },
  ),
);

export const WebhooksSchema = Type.Object(
  { data: Type.Array(WebhookSchema, { description: 'In the order of the setting.' }) },
  { description: 'The configured webhooks.' },
);
