import { ERRORS, type ErrorCode, ServiceError } from '../errors.ts';
import type { View } from '../ingest/views.ts';
import type { Consistency, Recorder } from '../serve/consistency.ts';
import type { CommunityName } from '../store/connection.ts';
import type { ClusterNode } from './node.ts';
import type { Replica } from './replica.ts';

/** An impression as one node sends it to another. */
export interface SentView extends Omit<View, 'items'> {
  items: number[];
  /** The page reflects every change up to this `seq`. */
  built_seq: number;
}

/** Where the leader takes impressions. */
export const IMPRESSIONS_PATH = '/internal/impressions';

/** What a node adds to the feeds of one of its communities. */
export class NodeConsistency implements Consistency {
  constructor(
    private readonly node: ClusterNode,
    private readonly community: CommunityName,
  ) {}

  current(given_up?: AbortSignal): Promise<void> {
    return this.node.current(this.community, given_up);
  }

  get recorder(): Recorder | undefined {
    const replica = this.node.replicaOf(this.community);
    return replica === undefined ? undefined : new LeaderRecorder(this.node, replica);
  }
}

class LeaderRecorder implements Recorder {
  constructor(
    private readonly node: ClusterNode,
    private readonly replica: Replica,
  ) {}

  get applied_seq(): number {
    return this.replica.applied_seq;
  }

  async record({ items, ...view }: View, built_seq: number): Promise<boolean> {
    const sent: SentView = { ...view, items: [...items], built_seq };
    const answer = await this.node.to_leader.send({
      method: 'POST',
      path: IMPRESSIONS_PATH,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    const answered: unknown = await answer.json();
    if (!answer.ok) throw problemFrom(answered, answer.headers);
    const recorded = (answered as { recorded: boolean }).recorded;
    if (!recorded) this.node.conflicts++;
    // Without it, a page of this viewer that waits here would be refused by the leader, and built again.
    await this.replica.caughtUp().catch(() => {});
    return recorded;
  }
}

/** The error that another node answered with. */
export function problemFrom(answered: unknown, headers: Headers): ServiceError {
  const { code, detail } = (answered ?? {}) as { code?: unknown; detail?: unknown };
  const retry = Number(headers.get('retry-after'));
  const known = typeof code === 'string' && Object.hasOwn(ERRORS, code);
  if (!known) return new ServiceError('store_unavailable', 'the node that leads answered with an error');
  return new ServiceError(code as ErrorCode, String(detail), undefined, retry > 0 ? retry : undefined);
}
