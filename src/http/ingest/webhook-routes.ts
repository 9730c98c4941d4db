import { Type } from '@sinclair/typebox';
import { Integer, IntegerOrNull, ListOf, ObjectOf, Text, TextOrNull } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { type Admission, ANY_KEY, type Keyless } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json, success } from '../transport/answers.ts';
import { checkedBy, type Signature } from '../transport/body.ts';
import { parameter } from '../transport/parameters.ts';
import { anyJson } from '../transport/read-body.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
import { IngestAnswerSchema } from './ingest-schemas.ts';

const DeliverySchema = Type.Object(
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

const WebhooksSchema = ObjectOf('The configured webhooks.', {
  data: ListOf('In the order of the setting.', WebhookSchema),
});

interface Delivery extends Keyless {
  webhook: ReturnType<Keyless['service']['webhooks']['get']>;
  signature: Signature;
}

/** Senders of deliveries have no key, but sign them. The name in the path decides how. */
const DELIVERIES: Admission<Delivery> = {
  admit(host, request, { name }) {
    const webhook = host.ready().webhooks.get(name);
    const service = host.withoutKey(request, `deliveries to webhook ${name}`);
    const sent = webhook.signatureIn(request.headers);
    const verify = (body: Uint8Array) => webhook.verify(sent, body);
    return { service, webhook, signature: { webhook: name, header: webhook.header, verify } };
  },
};

/** `POST /v2/community/hooks/<name>` and `GET /api/webhooks`. */
export const webhookRoutes = [
  route('POST', `${CONTENT_PATH}/hooks/:name`, {
    admit: DELIVERIES,
    answered_by: 'leader',
    params: { name: parameter(Text('Name of the webhook.', 'neynar'), String) },
    body: {
      ...checkedBy(
        DeliverySchema,
        {
          bytes_max: LIMITS.webhook_body_bytes_max,
          form: anyJson,
          // A signature depends on the secret, so no example would work.
          docs: { description: 'The delivery, at most 1 MiB, as the sender defines it.', examples: {} },
        },
        // The webhook maps it to records, which are checked one by one.
        (given) => ({ value: given, warnings: [] }),
      ),
      signature: ({ signature }: Delivery) => signature,
    },
    answer: json(IngestAnswerSchema),
    docs: {
      tag: 'Ingest',
      id: 'deliverWebhook',
      summary: 'Receive a delivery of another service',
      description:
        'Maps the delivery to records by the webhook of this name, which the operator configured with `--webhook`. The sender signs the raw body: an HMAC with the secret of the webhook, in the header that the webhook names. Without a valid signature the answer is 401. The answer is sent when the records are durable. Invalid records are skipped and named. A repeated delivery changes nothing. Needs no key.',
      errors: [
        'unauthorized',
        'not_found',
        'overloaded',
        'loading',
        'shutting_down',
        'write_queue_full',
        'store_unavailable',
        'state_full',
      ],
    },
    async handle({ webhook, body: delivery }) {
      const { warnings, ...result } = await webhook.take(delivery);
      return success(result, warnings);
    },
  }),
  route('GET', '/api/webhooks', {
    admit: ANY_KEY,
    answered_by: 'any',
    answer: json(WebhooksSchema),
    docs: {
      tag: 'Operations',
      id: 'webhooks',
      summary: 'Webhooks',
      description: 'Lists the configured webhooks: what was delivered, and the last error.',
    },
    handle: ({ service }) => ({ data: service.webhooks.statuses }),
  }),
];
