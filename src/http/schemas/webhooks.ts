import { Type } from '@sinclair/typebox';
import { Integer, IntegerOrNull, ListOf, ObjectOf, Text, TextOrNull } from '../../answer/schema-parts.ts';
import { namedObject } from '../openapi/schema.ts';

export const DeliverySchema = Type.Object(
  {},
  { additionalProperties: true, description: 'A delivery, as the sender defines it.' },
);

const WebhookSchema = namedObject('Webhook', 'A webhook that receives deliveries of another service.', {
  webhook: Text('Name of the webhook, as in its path.', 'neynar'),
  deliveries_count: Integer('Deliveries stored since the start.', 5_120),
  unsigned_count: Integer('Deliveries without a valid signature since the start.', 2),
  failed_count: Integer('Signed deliveries that could not be mapped or stored since the start.', 0),
  records_count: Integer('Records stored since the start.', 9_870),
  rejected_count: Integer('Invalid records skipped since the start.', 1),
  last_error: TextOrNull('Reason of the last failure of a signed delivery.', null),
  last_error_at: IntegerOrNull('Its time.', null),
  last_stored_at: IntegerOrNull('When a delivery was last stored.', 1_767_225_600),
});

export const WebhooksSchema = ObjectOf('The configured webhooks.', {
  data: ListOf('In the order of the setting.', WebhookSchema),
});
