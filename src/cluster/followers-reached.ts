import type { Timers } from '../clock.ts';
import type { Lease, SeenNode } from '../store/postgres/database-lease.ts';

/** How often a purge checks whether the followers have what it removes: for about ten seconds. */
const CHECK_SECONDS = 0.25;
const CHECKS_MAX = 40;

/**
 * Resolves when the other nodes have applied the content up to `seq`, or after some seconds.
 * @param node_id this node
 * @throws Error if the database does not answer how far they are
 */
export async function followersReached(
  { lease, timers }: { lease: Pick<Lease, 'nodes'>; timers: Timers },
  node_id: string,
  seq: number,
): Promise<void> {
  const isReached = (node: SeenNode) => node.node_id === node_id || node.applied_seq >= seq;
  for (let check = 1; ; check++) {
    try {
      if ((await lease.nodes()).every(isReached) || check === CHECKS_MAX) return;
    } catch (error) {
      if (check === CHECKS_MAX) throw error;
    }
    await new Promise<void>((resolve) => timers.after(CHECK_SECONDS, resolve));
  }
}
