import type { KeyStore, KeyUse } from '../store/keys.ts';
import { problemFrom } from './leader-client.ts';
import type { ClusterNode } from './node.ts';

/** Where the leader takes the times at which keys were used. */
export const KEY_USES_PATH = '/internal/key-uses';

/** How long to wait for the leader. The uses are sent again later. */
const PATIENCE_MS = 2_000;

/**
 * Stores when keys were used, through the node that leads. Nodes that follow write nothing themselves: on a data folder
 * they would wait for the writer's transactions, and their requests with them.
 */
export function noteUseThrough(
  cluster: ClusterNode | undefined,
  keys: Pick<KeyStore, 'noteUse'>,
): KeyStore['noteUse'] {
  return async (uses: readonly KeyUse[]) => {
    if (cluster === undefined || cluster.role === 'leader') return keys.noteUse(uses);
    const whole = await cluster.to_leader.postJson(KEY_USES_PATH, { uses }, PATIENCE_MS);
    if (!whole.answer.ok) throw problemFrom(whole);
  };
}
