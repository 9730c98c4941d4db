import { StartupError } from '../errors.ts';
import type { NodeOptions } from './node-options.ts';

/** Nodes that run are seen at least every two seconds. */
const WATCHED_MS = 3_000;
const CHECK_SECONDS = 0.25;

/**
 * Requires that no other node has the address of this one. A follower with the address of its leader would forward requests to
 * itself. A node that was killed at this address is still listed, but is not seen again.
 * @throws StartupError `cluster_address_taken`
 */
export async function requireOwnAddress({ lease, node, timers, monotonicMs }: NodeOptions): Promise<void> {
  const { node_id, url } = node;
  const joined_ms = monotonicMs();
  for (;;) {
    const watched_ms = monotonicMs() - joined_ms;
    const others = await lease.nodes();
    const other = others.find((seen) => seen.url === url && seen.node_id !== node_id);
    if (other === undefined || watched_ms > WATCHED_MS) return;
    if (other.silent_seconds * 1_000 < watched_ms) {
      await lease.left(node_id);
      throw new StartupError(
        'cluster_address_taken',
        `another node (release ${other.release}) that runs has the address of this one, ${url}`,
        'set FEEDLOOM_ADVERTISE_URL of each node to an address of its own, where the others reach it',
      );
    }
    await new Promise<void>((resolve) => timers.after(CHECK_SECONDS, resolve));
  }
}
