import type { Static } from '@sinclair/typebox';
import pkg from '../../../package.json' with { type: 'json' };
import type { Service } from '../../service.ts';
import type { Principal } from '../identity/auth.ts';
import type { NodeSchema } from '../operations/operations-schemas.ts';

/**
 * The nodes that were seen lately. Their addresses only for keys that may operate the service. Without a cluster there is
 * one, which has no id and no address.
 */
export function shownNodes(
  { cluster, state }: Service,
  { scopes }: Pick<Principal, 'scopes'>,
): Static<typeof NodeSchema>[] {
  if (cluster === undefined) {
    const alone = { node_id: null, url: null, role: 'leader', release: pkg.version } as const;
    return [{ ...alone, applied_seq: state.seq, lag_changes: 0, silent_seconds: 0 }];
  }
  const newest = Math.max(...cluster.nodes.map(({ applied_seq }) => applied_seq));
  return cluster.nodes.map(({ node_id, url, leads, release, applied_seq, silent_seconds }) => ({
    node_id,
    url: scopes.has('config:write') ? url : null,
    role: leads ? 'leader' : 'follower',
    release,
    applied_seq,
    lag_changes: newest - applied_seq,
    silent_seconds: Math.round(silent_seconds * 10) / 10,
  }));
}
