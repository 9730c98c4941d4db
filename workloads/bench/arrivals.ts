import { monotonicMs } from '../../src/clock.ts';
import { median } from '../../src/statistics.ts';
import type { Acts } from './acts.ts';
import { postRecords } from './built-world.ts';

/** Interactions per second that arrive during other measurements. */
const ARRIVING_PER_S = 20_000;
/** Maximum amount of unacknowledged interactions, as a duration at this rate. */
const UNANSWERED_MS_MAX = 1_000;

/** The interactions to send. */
export interface Order {
  /** Records per body. */
  records: number;
  /** Bodies for this duration are created in advance, and later ones between sends. */
  ahead_ms: number;
}

/** A repeatable stream of interactions. */
export interface Arriving {
  /** Resolves when the first bodies are sent. */
  begin(order: Order): Promise<void>;
  /** As in `Arrivals`. */
  stop(): Promise<number>;
}

/** Sends 20,000 interactions per second until stopped. At most one second's worth is unacknowledged. */
export class Arrivals {
  private acknowledged = 0;
  private running = true;
  private failure: unknown;
  private readonly start_ms: number;
  private readonly done: Promise<void>;

  /** @param nowMs the clock of the rate */
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
   * Stops sending and waits for outstanding answers.
   * @throws the failure of the first failed body, after which nothing was sent
   * @returns the share of due interactions that has been acknowledged, at most 1
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
      // Read only now, since other bodies have been acknowledged in the meantime.
      this.acknowledged += accepted;
    } catch (error) {
      this.failure ??= error;
      this.running = false;
    }
  }
}

/** A line for the table: the share of due interactions that arrived, as the median of the rounds. */
export function arrived(shares: readonly number[]): [string, string] {
  return ['arrived', `${(100 * median(shares)).toFixed(0)} % of it`];
}
