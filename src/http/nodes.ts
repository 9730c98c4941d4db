import pkg from '../../package.json' with { type: 'json' };
import { SOCKET } from '../cluster/leader-client.ts';
import type { Member } from '../processes/member.ts';
import type { Service } from '../service.ts';
import type { Principal } from './auth.ts';

/** A node as `GET /api/nodes` shows it. Without a cluster there is one, which has no id and no address. */
export interface ShownNode {
  node_id: string | null;
  url: string | null;
  /** Its number among the processes of this process's supervisor; null for others. */
  process: number | null;
  role: 'leader' | 'follower';
  release: string;
  applied_seq: number;
  lag_changes: number;
  silent_seconds: number;
}

/** The nodes that were seen lately. Their addresses only for keys that may operate the service. */
export function shownNodes(
  { service: { cluster, state }, scopes }: Pick<Principal, 'scopes'> & { service: Service },
  member?: Pick<Member, 'processes'>,
): ShownNode[] {
  if (cluster === undefined) {
    const alone = { node_id: null, url: null, process: null, role: 'leader', release: pkg.version } as const;
    return [{ ...alone, applied_seq: state.seq, lag_changes: 0, silent_seconds: 0 }];
  }
  const newest = Math.max(...cluster.nodes.map(({ applied_seq }) => applied_seq));
  const processOf = (node_id: string) => member?.processes.find(({ node }) => node?.node_id === node_id);
  return cluster.nodes.map(({ node_id, url, leads, release, applied_seq, silent_seconds }) => ({
    node_id,
    url: url.startsWith(SOCKET) || !scopes.has('config:write') ? null : url,
    process: processOf(node_id)?.process ?? null,
    role: leads ? 'leader' : 'follower',
    release,
    applied_seq,
    lag_changes: newest - applied_seq,
    silent_seconds: Math.round(silent_seconds * 10) / 10,
  }));
}

/** A process of the supervisor as `GET /readyz` shows it. */
export interface ShownProcess {
  process: number;
  state: 'leader' | 'follower' | 'starting';
}

/** This process, and all processes of the supervisor: none for a process that was started alone. */
export function shownProcesses(member: Pick<Member, 'processes' | 'membership'> | undefined): {
  process: number | null;
  processes: ShownProcess[];
} {
  const processes = (member?.processes ?? []).map(({ process, node }): ShownProcess => {
    if (node === undefined) return { process, state: 'starting' };
    return { process, state: node.leads ? 'leader' : 'follower' };
  });
  return { process: member?.membership.process ?? null, processes };
}
