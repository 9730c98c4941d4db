import type { Registry } from 'prom-client';
import type { WebhookStatus } from '../connectors/webhooks.ts';
import type { Service } from '../service.ts';
import { readTotal } from './read-metrics.ts';

const RESULTS = {
  stored: 'deliveries_count',
  unsigned: 'unsigned_count',
  failed: 'failed_count',
} as const satisfies Record<string, keyof WebhookStatus>;

/** Metrics of the webhooks. */
export function readWebhooks(registry: Registry, service: () => Service | undefined): void {
  const statuses = () => service()?.webhooks.statuses ?? [];
  readTotal(registry, {
    name: 'feedloom_webhook_deliveries_total',
    help: 'Deliveries to a webhook, by what became of them.',
    labels: ['webhook', 'result'],
    read: () =>
      statuses().flatMap((status) =>
        Object.entries(RESULTS).map(([result, count]): [Record<string, string>, number] => [
          { webhook: status.webhook, result },
          status[count],
        ]),
      ),
  });
  const records = (name: string, help: string, count: 'records_count' | 'rejected_count') =>
    readTotal(registry, {
      name,
      help,
      labels: ['webhook'],
      read: () => statuses().map((status) => [{ webhook: status.webhook }, status[count]]),
    });
  records('feedloom_webhook_records_total', 'Records of a webhook that were stored.', 'records_count');
  records(
    'feedloom_webhook_rejected_total',
    'Invalid records of a webhook that were skipped.',
    'rejected_count',
  );
}
