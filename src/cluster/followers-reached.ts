import type { Timers } from '../clock.ts';
import type { SeenNode } from '../store/postgres/cluster-book.ts';
import type { Book } from './book.ts';

/** How often a purge looks whether the followers have what it removes: for about ten seconds. */
const LOOK_SECONDS = 0.25;
const LOOKS_MAX = 40;

/**
 * Resolves when the other nodes have applied the content up to `seq`, or after some seconds.
 * @param node_id this node
 * @throws Error if the database does not tell how far they are
 */
export async function followersReached(
  { book, timers }: { book: Pick<Book, 'nodes'>; timers: Timers },
  node_id: string,
  seq: number,
): Promise<void> {
  const isReached = (node: SeenNode) => node.node_id === node_id || node.applied_seq >= seq;
  for (let look = 1; ; look++) {
    try {
      if ((await book.nodes()).every(isReached) || look === LOOKS_MAX) return;
    } catch (error) {
      if (look === LOOKS_MAX) throw error;
    }
    await new Promise<void>((resolve) => timers.after(LOOK_SECONDS, resolve));
  }
}
