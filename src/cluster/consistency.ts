import type { Consistency } from '../serve/consistency.ts';
import type { CommunityName } from '../store/connection.ts';
import type { ClusterNode } from './node.ts';

/** What a node adds to the feeds of one of its communities. */
export class NodeConsistency implements Consistency {
  constructor(
    private readonly node: ClusterNode,
    private readonly community: CommunityName,
  ) {}

  current(given_up?: AbortSignal): Promise<void> {
    return this.node.current(this.community, given_up);
  }
}
