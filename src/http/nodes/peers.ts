import type { ClusterNode } from '../../cluster/node.ts';
import { ServiceError } from '../../errors.ts';
import type { Host } from '../transport/host.ts';

/**
 * The node that this process is.
 * @throws ServiceError `unauthorized` unless the request has the cluster's secret; `loading`, `shutting_down`
 */
export function peerOf(host: Host, request: Request): ClusterNode {
  // While a node loads its state, it is not known yet as a node.
  const { cluster } = host.ready();
  if (cluster?.to_leader.isPeer(request.headers)) return cluster;
  throw new ServiceError(
    'unauthorized',
    'only nodes of the cluster are answered here; give all nodes the same FEEDLOOM_CLUSTER_SECRET',
  );
}
