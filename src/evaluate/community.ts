import { type ManualClock, monotonicMs } from '../clock.ts';
import type { FeedRequest, FeedService } from '../feed/serve-feed.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { DataClock, Intake } from '../ingest/interchange/intake.ts';
import type { ImportLog } from '../ingest/interchange/report.ts';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { dueAt, type Timeline } from './timeline.ts';

/** A community that nobody else writes to, and whose clock is the data's. */
export interface Community {
  state: State;
  ingest: Ingest;
  feeds: FeedService;
  clock: ManualClock;
}

type Taken = Parameters<Intake['queue']>[0][number];

/** A page as it was served. */
export interface Asked {
  /** Indexes of the timeline's items, best first. */
  page: number[];
  /** What the request took, in microseconds. */
  took_us: number;
}

/**
 * A community that lives through a timeline: records are prepared and applied as an import does it, pages
 * are served as over HTTP.
 */
export class Reenactment {
  private described_at = 0;
  private counts_at = 0;
  private acts_at = 0;
  private readonly intake: Intake;

  /** @param leavesOut acts that are not applied */
  constructor(
    private readonly community: Community,
    private readonly timeline: Timeline,
    log: ImportLog,
    private readonly leavesOut: (act: number) => boolean = () => false,
  ) {
    const { start } = timeline;
    const clock = new DataClock(start, start, Number.POSITIVE_INFINITY);
    this.intake = new Intake(community.state, community.ingest, clock, log);
  }

  /** Applies everything up to `time` (seconds), of the acts only the first `acts_end`, and sets the clock. */
  async advance(time: number, acts_end = this.timeline.acts.until(time)): Promise<void> {
    let slice: Taken[] = [];
    for (const taken of this.next(time, acts_end)) {
      slice.push(taken);
      if (slice.length < LIMITS.ingest_slice_records) continue;
      await this.apply(slice);
      slice = [];
    }
    if (slice.length > 0) await this.apply(slice);
    this.community.clock.set(time);
  }

  /** Serves a page; nothing is recorded. */
  async ask(feed_type: FeedType, request: Omit<FeedRequest, 'impression_count'>): Promise<Asked> {
    const start_ms = monotonicMs();
    const { items } = await this.community.feeds.serve(feed_type, { ...request, impression_count: 0 });
    const took_us = (monotonicMs() - start_ms) * 1000;
    return { page: items.map(({ item_id }) => this.timeline.items.add(item_id)), took_us };
  }

  private async apply(slice: readonly Taken[]): Promise<void> {
    const { durable } = await this.intake.queue(slice, false);
    await durable;
  }

  /** Of one moment, what describes comes before what counts, and that before what was done. */
  private *next(time: number, acts_end: number): Generator<Taken> {
    const { described, counts, acts } = this.timeline;
    for (;;) {
      const describing = described[this.described_at];
      const described_time = describing === undefined ? Number.POSITIVE_INFINITY : dueAt(describing);
      const counted_time = timeAt(counts, this.counts_at, counts.length);
      const act_time = timeAt(acts, this.acts_at, acts_end);
      if (Math.min(described_time, counted_time, act_time) > time) return;
      if (described_time <= counted_time && described_time <= act_time) {
        this.described_at++;
        yield describing;
      } else if (counted_time <= act_time) {
        const record = counts.record(this.counts_at++);
        yield { kind: 'engagement', record, time: counted_time, line: 0, report: undefined };
      } else {
        const at = this.acts_at++;
        if (this.leavesOut(at)) continue;
        yield { kind: 'interactions', record: acts.record(at), time: act_time, line: 0, report: undefined };
      }
    }
  }
}

function timeAt({ time }: { time: Float64Array }, at: number, end: number): number {
  return at < end ? time[at] : Number.POSITIVE_INFINITY;
}
