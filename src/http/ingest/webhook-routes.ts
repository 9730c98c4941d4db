import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { Integer, IntegerOrNull, ListOf, ObjectOf, Text, TextOrNull } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { described } from '../openapi/operation.ts';
import { namedObject } from '../openapi/schema.ts';
import { ANY_KEY } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { jsonIn, readUnparsed } from '../transport/read-body.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
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

const DOCS = {
  deliver: described({
    tag: 'Ingest',
    id: 'deliverWebhook',
    summary: 'Receive a delivery of another service',
    description:
      'Maps the delivery to records by the webhook of this name, which the operator configured with `--webhook`. The sender signs the raw body: an HMAC with the secret of the webhook, in the header that the webhook names. Without a valid signature the answer is 401. The answer is sent when the records are durable. Invalid records are skipped and named. A repeated delivery changes nothing. Needs no key.',
    // A signature depends on the secret, so no example would work.
    body: { description: 'The delivery, at most 1 MiB, as the sender defines it.', examples: {} },
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
  }),
  list: described({
    tag: 'Operations',
    id: 'webhooks',
    summary: 'Webhooks',
    description: 'Lists the configured webhooks: what was delivered, and the last error.',
    admission: ANY_KEY,
  }),
};

const NAME = Type.Object({ name: Text('Name of the webhook.', 'neynar') });

/**
 * Reads a delivery to a webhook, and verifies its signature.
 * @returns the body, and the name of the header that signs it
 * @throws ServiceError `not_found`, `unauthorized`; errors of admission and of `readUnparsed`
 */
export async function readSigned(
  host: Host,
  request: Request,
  name: string,
): Promise<{ body: Uint8Array<ArrayBuffer>; header: string }> {
  const webhook = host.ready().webhooks.get(name);
  host.withoutKey(request, `deliveries to webhook ${name}`);
  const signature = webhook.signatureIn(request.headers);
  const body = await readUnparsed(request, host.room(request, LIMITS.webhook_body_bytes_max, name));
  webhook.verify(signature, body);
  return { body, header: webhook.header };
}

/** `POST /v2/community/hooks/<name>` and `GET /api/webhooks`. */
export function webhookRoutes(host: Host) {
  return new Elysia()
    .parser('signed_delivery', async ({ request, params }) => {
      const { body } = await readSigned(host, request, (params as { name: string }).name);
      return { delivery: await jsonIn(body) };
    })
    .post(
      `${CONTENT_PATH}/hooks/:name`,
      async ({ params, body }) => {
        const { delivery } = body as { delivery: unknown };
        const { warnings, ...result } = await host.service.webhooks.get(params.name).take(delivery);
        return { status: 'success', ...result, ...(warnings.length > 0 ? { warnings } : {}) };
      },
      {
        parse: 'signed_delivery',
        params: NAME,
        body: unchecked(DeliverySchema),
        response: { 200: unchecked(IngestAnswerSchema) },
        detail: DOCS.deliver,
      },
    )
    .get('/api/webhooks', ({ request }) => ({ data: host.admitted(request).service.webhooks.statuses }), {
      transform: ({ request }) => host.admit(request, ANY_KEY),
      response: { 200: unchecked(WebhooksSchema) },
      detail: DOCS.list,
    });
}
