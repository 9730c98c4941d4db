import type { Registry } from 'prom-client';
import type { ClusterNode } from '../cluster/node.ts';
import type { Service } from '../service.ts';
import { type ReadMetric, readLevel, readTotal } from './read-metrics.ts';

/** Metrics of this process as a node of a cluster. Without a cluster they have no samples. */
export function readCluster(registry: Registry, service: () => Service | undefined): void {
  const metric = (name: string, help: string, value: (node: ClusterNode) => number): ReadMetric => ({
    name,
    help,
    read: () => {
      const cluster = service()?.cluster;
      return cluster === undefined ? [] : [[{}, value(cluster)]];
    },
  });
  const levels = [
    metric('feedloom_node_leader', '1 if this node leads, 0 if it follows.', ({ role }) =>
      Number(role === 'leader'),
    ),
    metric(
      'feedloom_node_applied_seq',
      'The last stored change that pages of this node reflect.',
      ({ applied_seq }) => applied_seq,
    ),
    metric(
      'feedloom_node_lag_seconds',
      'Seconds by which pages of this node may be outdated.',
      ({ lag_seconds }) => lag_seconds,
    ),
  ];
  const totals = [
    metric(
      'feedloom_node_forwarded_total',
      'Requests that this node sent to the leader.',
      ({ to_leader }) => to_leader.totals.forwarded,
    ),
    metric(
      'feedloom_node_forwarded_failed_total',
      'Requests to the leader that got no answer.',
      ({ to_leader }) => to_leader.totals.failed,
    ),
    metric(
      'feedloom_node_conflicts_total',
      'Pages that were built again because their viewer acted at another node meanwhile.',
      ({ conflicts }) => conflicts,
    ),
    metric(
      'feedloom_node_fail_overs_total',
      'Times that this node began to lead after another one.',
      ({ took_over }) => took_over,
    ),
  ];
  for (const level of levels) readLevel(registry, level);
  for (const total of totals) readTotal(registry, total);
}
