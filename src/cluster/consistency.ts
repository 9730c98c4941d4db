import { ERRORS, type ErrorCode, ServiceError } from '../errors.ts';
import type { View } from '../ingest/views.ts';
import type { Consistency, Recorder } from '../serve/consistency.ts';
import type { CommunityName } from '../store/connection.ts';
import type { WholeAnswer } from './leader-client.ts';
import type { ClusterNode } from './node.ts';
import type { Replica } from './replica.ts';

/** An impression as one node sends it to another. */
export interface SentView extends Omit<View, 'items'> {
  items: number[];
  /** The page reflects every change up to this `seq`. */
  built_seq: number;
  /** That requested the page. Empty without a key. */
  account: string;
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

  async record({ items, ...view }: View, built_seq: number, account: string | undefined): Promise<boolean> {
    const { hand_over } = this.node;
    while (hand_over.is_under_way) await hand_over.ended();
    // The leader takes impressions in turn with its own pages of the viewer, so this page must not wait for an answer
    // of this node itself. It is built again.
    if (this.node.role === 'leader') return false;
    const sent: SentView = { ...view, items: [...items], built_seq, account: account ?? '' };
    const whole = await this.node.to_leader.request({
      method: 'POST',
      path: IMPRESSIONS_PATH,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    const { recorded } = (jsonOf(whole) ?? {}) as { recorded?: unknown };
    if (typeof recorded !== 'boolean') throw problemFrom(whole);
    if (!recorded) this.node.conflicts++;
    // Without it, a page of this viewer that waits here would be refused by the leader, and built again.
    await this.replica.caughtUp().catch(() => {});
    return recorded;
  }
}

/** The value of a JSON answer. Undefined for any other text: a proxy before the leader may have answered. */
function jsonOf({ bytes }: WholeAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The error that another node answered with. */
export function problemFrom(whole: WholeAnswer): ServiceError {
  const { code, detail } = (jsonOf(whole) ?? {}) as { code?: unknown; detail?: unknown };
  const retry = Number(whole.answer.headers.get('retry-after'));
  const known = typeof code === 'string' && Object.hasOwn(ERRORS, code);
  if (!known)
    return new ServiceError(
      'store_unavailable',
      `the address of the node that leads answered ${whole.answer.status}, which is no answer of a node; if a proxy is before it, check the proxy, or set FEEDLOOM_ADVERTISE_URL to the node itself`,
    );
  return new ServiceError(code as ErrorCode, String(detail), undefined, retry > 0 ? retry : undefined);
}
