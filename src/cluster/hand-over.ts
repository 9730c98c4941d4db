import type { Timers } from '../clock.ts';
import { untilStopped } from '../until-stopped.ts';
import { leaderless } from './leader-client.ts';

/** Where a leader that stops tells the other nodes. */
export const LEAVING_PATH = '/internal/leaving';

/** Maximum time that a request waits for the next leader, and that a hand-over counts as under way. */
const WAITING_SECONDS = 3;
const WAITING_MAX = 1_000;
/** Pause between two checks for the next leader. */
const REFRESH_SECONDS = 0.05;

/**
 * The lead on its way from one node to another: the leader has said that it leaves, or this node takes the lead.
 *
 * Requests for the leader wait meanwhile, before they are sent. So they need not be sent twice.
 */
export class HandOver {
  private passing: PromiseWithResolvers<void> | undefined;
  /** The leader that has said that it leaves. */
  private former: string | undefined;
  private waiting_count = 0;
  private cancel = (): void => {};

  constructor(private readonly timers: Timers) {}

  get is_under_way(): boolean {
    return this.passing !== undefined;
  }

  /** The lead is passed on from now on, until `end` or for three seconds. */
  begin(): void {
    this.passing ??= Promise.withResolvers<void>();
    this.cancel();
    this.cancel = this.timers.after(WAITING_SECONDS, () => this.end());
  }

  /**
   * A leader has announced that it leaves. Checks for the next one until it is found.
   * @param former `node_id` of the leader
   * @param refresh checks for another leader, and takes the lead if it is free
   */
  expect(former: string, refresh: () => Promise<void>): void {
    this.former = former;
    const is_expected = this.is_under_way;
    this.begin();
    if (!is_expected) void this.refreshOften(refresh);
  }

  /** This node follows, and was told which node leads. */
  seen(leader: { node_id: string } | undefined): void {
    if (leader !== undefined && leader.node_id !== this.former) this.end();
  }

  /** The requests that wait go on. */
  end(): void {
    this.cancel();
    this.passing?.resolve();
    this.passing = undefined;
  }

  /**
   * Resolves at the end of the hand-over. Another one may have begun since.
   * @throws ServiceError `store_unavailable` after three seconds, or if too many requests wait; the reason of `given_up`
   */
  async ended(given_up?: AbortSignal): Promise<void> {
    const { passing } = this;
    if (passing === undefined) return;
    if (this.waiting_count === WAITING_MAX) throw leaderless();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = this.timers.after(WAITING_SECONDS, () => reject(leaderless()));
    this.waiting_count++;
    try {
      await untilStopped(Promise.race([passing.promise, late]), given_up);
    } finally {
      this.waiting_count--;
      cancel();
    }
  }

  private async refreshOften(refresh: () => Promise<void>): Promise<void> {
    while (this.is_under_way) {
      await new Promise<void>((resolve) => this.timers.after(REFRESH_SECONDS, resolve));
      await refresh();
    }
  }
}
