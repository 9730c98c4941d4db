import { availableParallelism } from 'node:os';
import { FollowOrders, type FollowWriter } from '../state/follow-orders.ts';
import { type Moved, put, take } from '../state/moved.ts';
import type { State } from '../state/state.ts';
import { ThreadLink } from '../store/thread-link.ts';

/** So many follows are recorded here; to start a thread takes as long. */
const APART_FROM = 100_000;
/**
 * Batches that may wait for the thread: mostly all follows come before the first interaction, and a fold that waited for
 * them would gain nothing. 0.6 GB, which is less than the same follows take once they are recorded.
 */
const BATCHES_MAX = 700;

/** What the thread is asked for. */
export type FollowsOrder =
  | { type: 'begin'; follows: Moved }
  | { type: 'orders'; buffer: ArrayBuffer; count: number }
  | { type: 'give' };

export type FollowsReply = { type: 'done' } | { type: 'follows'; follows: Moved };

/**
 * Has a state's follows recorded by a thread of its own while a long fold goes on: nothing else that a fold does reads or
 * writes them, so they come out the same, byte for byte. In between, the state has none.
 */
export class FollowsApart implements FollowWriter {
  private link: ThreadLink<FollowsOrder, FollowsReply> | undefined;
  private orders: FollowOrders | undefined;
  private readonly under_way: Promise<FollowsReply>[] = [];
  private recorded = 0;

  /**
   * @param from so many follows are recorded here
   * @param batches_max that may wait for the thread
   */
  constructor(
    private readonly state: State,
    private readonly from = availableParallelism() > 1 ? APART_FROM : Number.POSITIVE_INFINITY,
    private readonly batches_max = BATCHES_MAX,
  ) {
    state.follow_writer = this;
  }

  /** The thread has the follows. */
  get begun(): boolean {
    return this.link !== undefined;
  }

  record(user: number, target: number, add: boolean, time: number): void {
    if (this.link === undefined && this.recorded++ === this.from) this.begin();
    this.writer.record(user, target, add, time);
  }

  eraseUser(user: number): void {
    this.writer.eraseUser(user);
  }

  /** Resolves when no more waits for the thread than may. @throws Error when the thread has died */
  async settle(): Promise<void> {
    while (this.under_way.length > this.batches_max) await this.under_way.shift();
  }

  /**
   * Gives the state its follows back.
   * @param slice awaited now and then
   * @throws Error when the thread has died; what `slice` throws
   */
  async bringHome(slice: () => Promise<void>): Promise<void> {
    const { link, state } = this;
    if (link !== undefined) {
      this.send();
      for (const done of this.under_way.splice(0)) {
        await done;
        await slice();
      }
      const reply = await link.ask({ type: 'give' });
      if (reply.type !== 'follows') throw new Error(`unexpected reply '${reply.type}'`);
      put(state.follows, reply.follows);
    }
    this.end();
  }

  /** Lets go of the thread, whatever it has. */
  end(): void {
    this.state.follow_writer = this.state.follows;
    this.link?.terminate();
    this.link = undefined;
  }

  private begin(): void {
    this.link = new ThreadLink('checkpoint/follows-worker', 'the thread that records follows');
    const follows = take(this.state.follows);
    this.ask({ type: 'begin', follows }, follows.buffers);
  }

  /** Where the next goes: here, or into a batch that has room. */
  private get writer(): FollowWriter {
    if (this.link === undefined) return this.state.follows;
    if (this.orders?.is_full) this.send();
    this.orders ??= new FollowOrders();
    return this.orders;
  }

  private send(): void {
    if (this.orders === undefined) return;
    const { buffer, count } = this.orders;
    this.orders = undefined;
    this.ask({ type: 'orders', buffer, count }, [buffer]);
  }

  private ask(order: FollowsOrder, transferred: ArrayBuffer[]): void {
    const done = this.link!.ask(order, transferred);
    // Whoever waits for it is told.
    done.catch(() => {});
    this.under_way.push(done);
  }
}
