import type { MetadataFetcher } from '../../alpha/metadata-fetcher.ts';
import type { ConnectorStatus } from '../../connectors/running-connector.ts';
import type { WebhookStatus } from '../../connectors/webhooks.ts';
import type { Service } from '../../service.ts';
import type { CommunityName } from '../../store/connection.ts';
import { COMMUNITY_METRICS, type Measured } from './community.ts';
import { type MetricTable, ofEach } from './table.ts';

const METADATA: MetricTable<MetadataFetcher> = {
  feedloom_metadata_calls_total: ['Calls of the metadata provider.', ({ figures }) => figures.calls],
  feedloom_metadata_failed_calls_total: [
    'Calls of the metadata provider that failed or timed out.',
    ({ figures }) => figures.failed_calls,
  ],
  feedloom_metadata_items_total: [
    'Items of answers by source of their metadata: cached, fetched in time, or missing.',
    ({ figures }) => Object.entries(figures.items),
    'outcome',
  ],
  feedloom_metadata_late_answers_total: [
    'Answers that were sent before the metadata provider had replied.',
    ({ figures }) => figures.late_answers,
  ],
  feedloom_metadata_remembered_items: [
    'Items with cached metadata.',
    ({ remembered_items }) => remembered_items,
  ],
  feedloom_metadata_circuit_open: [
    'Whether calls of the metadata provider are suspended after failures.',
    ({ is_circuit_open }) => Number(is_circuit_open),
  ],
};

const CONNECTORS: MetricTable<ConnectorStatus> = {
  feedloom_connector_records_total: [
    'Records of a connector that were stored.',
    ({ records_count }) => records_count,
  ],
  feedloom_connector_rejected_total: [
    'Invalid records of a connector that were skipped.',
    ({ rejected_count }) => rejected_count,
  ],
  feedloom_connector_restarts_total: [
    'Restarts of a connector after a failure or silence.',
    ({ restarts_count }) => restarts_count,
  ],
  feedloom_connector_stalled: [
    '1 if a connector failed or did not reach its source, and has stored nothing since, otherwise 0.',
    ({ state }) => Number(state === 'stalled'),
  ],
  feedloom_connector_quiet: [
    '1 if the source of a connector was reached and has sent nothing for a while, otherwise 0.',
    ({ state }) => Number(state === 'quiet'),
  ],
};

const WEBHOOKS: MetricTable<WebhookStatus> = {
  feedloom_webhook_deliveries_total: [
    'Deliveries to a webhook, by what became of them.',
    ({ deliveries_count, unsigned_count, failed_count }) => [
      ['stored', deliveries_count],
      ['unsigned', unsigned_count],
      ['failed', failed_count],
    ],
    'result',
  ],
  feedloom_webhook_records_total: [
    'Records of a webhook that were stored.',
    ({ records_count }) => records_count,
  ],
  feedloom_webhook_rejected_total: [
    'Invalid records of a webhook that were skipped.',
    ({ rejected_count }) => rejected_count,
  ],
};

const NODE: MetricTable<Service> = {
  feedloom_node_leader: [
    '1 if this node leads, 0 if it follows.',
    ({ cluster }) => cluster && Number(cluster.role === 'leader'),
  ],
  feedloom_node_applied_seq: [
    'The last stored change that pages of this node reflect.',
    ({ cluster }) => cluster?.applied_seq,
  ],
  feedloom_node_lag_seconds: [
    'Seconds by which pages of this node may be outdated.',
    ({ cluster }) => cluster?.lag_seconds,
  ],
  feedloom_node_forwarded_total: [
    'Requests that this node sent to the leader.',
    ({ cluster }) => cluster?.to_leader.totals.forwarded,
  ],
  feedloom_node_forwarded_failed_total: [
    'Requests to the leader that got no answer.',
    ({ cluster }) => cluster?.to_leader.totals.failed,
  ],
  feedloom_node_conflicts_total: [
    'Pages that were built again because their viewer acted at another node meanwhile.',
    ({ cluster, seen }) => (cluster === undefined ? undefined : seen.conflicts),
  ],
  feedloom_node_fail_overs_total: [
    'Times that this node began to lead after another one.',
    ({ cluster }) => cluster?.took_over,
  ],
};

/** The metrics of a service, once it is loaded. */
export const SERVICE_METRICS: MetricTable<Service> = {
  ...ofEach('community', communitiesOf, COMMUNITY_METRICS),
  ...ofEach('provider', ({ alpha: { fetcher } }) => (fetcher ? [[fetcher.id, fetcher]] : []), METADATA),
  ...ofEach(
    'connector',
    ({ connectors }) => connectors.statuses.map((one) => [one.connector, one]),
    CONNECTORS,
  ),
  ...ofEach('webhook', ({ webhooks }) => webhooks.statuses.map((one) => [one.webhook, one]), WEBHOOKS),
  ...NODE,
  feedloom_shown_pages_total: [
    'Pages sent to viewers, by what became of their record for learning: stored, outside of the sample, or without room.',
    ({
      ingest: {
        shown: { totals },
      },
    }) => Object.entries(totals),
    'outcome',
  ],
  feedloom_load_lag_seconds: [
    'Lag of the event loop, smoothed. It determines the effort.',
    ({ load }) => load.lag_ms / 1000,
  ],
  feedloom_effort: [
    'Share of the usual candidates that a page searches: 1, or 0.5 or 0.25 under load.',
    ({ load }) => load.effort,
  ],
};

function communitiesOf(service: Service): [CommunityName, Measured][] {
  const wallets = service.alpha.community;
  return wallets === undefined
    ? [['content', service]]
    : [
        ['content', service],
        ['wallets', wallets],
      ];
}
