import { monotonicMs } from '../../src/clock.ts';
import { median } from '../../src/statistics.ts';
import type { Acts } from './acts.ts';
import { postRecords } from './built-world.ts';

/** Interactions that arrive while something else is measured. */
const ARRIVING_PER_S = 20_000;
/** What may be unanswered at the same time, by its pace. */
const UNANSWERED_MS_MAX = 1_000;

/** What is to arrive. */
export interface Order {
  /** Of a body. */
  records: number;
  /** The bodies of so long are made before the first is sent; later ones while they are waited for. */
  ahead_ms: number;
}

/** What arrives for a while, again and again. */
export interface Arriving {
  /** Resolves when bodies begin to arrive. */
  begin(order: Order): Promise<void>;
  /** As of `Arrivals`. */
  stop(): Promise<number>;
}

/** Sends bodies at the pace of 20,000 interactions a second until stopped; at most a second's worth may be unanswered. */
export class Arrivals {
  private acknowledged = 0;
  private running = true;
  private failure: unknown;
  private readonly start_ms: number;
  private readonly done: Promise<void>;

  /** @param nowMs the clock that is kept pace with */
  constructor(
    private readonly address: string,
    private readonly acts: Acts,
    { records, ahead_ms }: Order,
    private readonly nowMs = monotonicMs,
  ) {
    const interval_ms = (records / ARRIVING_PER_S) * 1000;
    const ready = Array.from({ length: Math.ceil(ahead_ms / interval_ms) }, () => acts.body(records));
    this.start_ms = nowMs();
    this.done = this.send(ready, records, interval_ms);
  }

  /**
   * Sends nothing more and waits for what is under way. @throws what the first body failed with: nothing was sent since
   * @returns the share of what was to arrive until now that has been acknowledged, at most 1
   */
  async stop(): Promise<number> {
    const due = ((this.nowMs() - this.start_ms) / 1000) * ARRIVING_PER_S;
    const share = Math.min(1, this.acknowledged / due);
    this.running = false;
    await this.done;
    if (this.failure !== undefined) throw this.failure;
    return share;
  }

  private async send(ready: Uint8Array<ArrayBuffer>[], records: number, interval_ms: number): Promise<void> {
    const under_way = new Set<Promise<void>>();
    for (let index = 0; ; index++) {
      const body = ready.shift() ?? this.acts.body(records);
      await Bun.sleep(Math.max(0, this.start_ms + index * interval_ms - this.nowMs()));
      if (!this.running) break;
      const sent = this.post(body).finally(() => under_way.delete(sent));
      under_way.add(sent);
      if (under_way.size * interval_ms > UNANSWERED_MS_MAX) await Promise.race(under_way);
    }
    await Promise.all(under_way);
  }

  private async post(body: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const accepted = await postRecords(this.address, 'interactions', body);
      // Only now: while it was waited for, others have been acknowledged.
      this.acknowledged += accepted;
    } catch (error) {
      this.failure ??= error;
      this.running = false;
    }
  }
}

/** A line for the table: how much of what was to arrive did, in each round. */
export function arrived(shares: readonly number[]): [string, string] {
  return ['arrived', `${(100 * median(shares)).toFixed(0)} % of it`];
}
