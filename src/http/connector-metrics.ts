import type { Registry } from 'prom-client';
import type { ConnectorStatus } from '../connectors/running-connector.ts';
import type { Service } from '../service.ts';
import { type ReadMetric, readLevel, readTotal } from './read-metrics.ts';

/** Metrics of the connectors. */
export function readConnectors(registry: Registry, service: () => Service | undefined): void {
  const metric = (name: string, help: string, value: (status: ConnectorStatus) => number): ReadMetric => ({
    name,
    help,
    labels: ['connector'],
    read: () =>
      (service()?.connectors.statuses ?? []).map((status) => [
        { connector: status.connector },
        value(status),
      ]),
  });
  const totals = [
    metric(
      'feedloom_connector_records_total',
      'Records of a connector that were stored.',
      (status) => status.records_count,
    ),
    metric(
      'feedloom_connector_rejected_total',
      'Invalid records of a connector that were skipped.',
      (status) => status.rejected_count,
    ),
    metric(
      'feedloom_connector_restarts_total',
      'Restarts of a connector after a failure or silence.',
      (status) => status.restarts_count,
    ),
  ];
  for (const total of totals) readTotal(registry, total);
  readLevel(
    registry,
    metric(
      'feedloom_connector_stalled',
      '1 if a connector failed or was silent and has stored nothing since, otherwise 0.',
      ({ state }) => Number(state === 'stalled'),
    ),
  );
}
