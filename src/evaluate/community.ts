import type { ManualClock } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { DataClock } from '../interchange/data-clock.ts';
import { ImportWriter } from '../interchange/import-writer.ts';
import type { ImportLog } from '../interchange/report.ts';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import type { FeedRequest, FeedService } from '../serve/serve-feed.ts';
import type { State } from '../state/state.ts';
import type { Lessons, Shown } from './lessons.ts';
import type { OnProgress } from './progress.ts';
import { dueAt, type Moment, type Timeline } from './timeline.ts';

/** A community with a single writer, whose clock follows the data. */
export interface Community {
  state: State;
  ingest: Ingest;
  feeds: FeedService;
  clock: ManualClock;
  /** Gets the pages that the service would log. */
  lessons: Lessons;
}

type Taken = Parameters<ImportWriter['queue']>[0][number];

/**
 * Replays a timeline in a community: records are prepared and applied like an import, pages are served like over HTTP.
 */
export class Reenactment {
  private described_at = 0;
  private counts_at = 0;
  private acts_at = 0;
  private readonly writer: ImportWriter;

  constructor(
    private readonly community: Community,
    private readonly timeline: Timeline,
    log: ImportLog,
  ) {
    const { start } = timeline;
    const clock = new DataClock(start, start, Number.POSITIVE_INFINITY);
    this.writer = new ImportWriter(community.state, community.ingest, clock, log);
  }

  /** Advances to the first moment of pages, with progress, because it may take long. */
  async begin(moment: Moment, onProgress: OnProgress): Promise<void> {
    const total = moment.described + moment.counts + moment.acts;
    onProgress('applying', 0, total);
    await this.advance(moment, (applied) => onProgress('applying', applied, total));
  }

  /** Applies everything up to a moment and sets the clock. @param onApplied called with the number of records */
  async advance(moment: Moment, onApplied: (applied: number) => void = () => {}): Promise<void> {
    let slice: Taken[] = [];
    for (const taken of this.until(moment)) {
      slice.push(taken);
      if (slice.length < LIMITS.ingest_slice_records) continue;
      await this.apply(slice);
      onApplied(this.described_at + this.counts_at + this.acts_at);
      slice = [];
    }
    if (slice.length > 0) await this.apply(slice);
    this.community.clock.set(moment.time);
  }

  /** Serves a page. Nothing is recorded. @returns indexes of the timeline's items, best first */
  async ask(feed_type: FeedType, request: Omit<FeedRequest, 'impression_count'>): Promise<number[]> {
    return [...(await this.scores(feed_type, request)).keys()];
  }

  /** The same with the scores by which the page is ordered. */
  async scores(
    feed_type: FeedType,
    request: Omit<FeedRequest, 'impression_count'>,
  ): Promise<Map<number, number>> {
    const { items } = await this.community.feeds.serve(feed_type, { ...request, impression_count: 0 });
    return new Map(
      items.map(({ item_id, adjusted_score }) => [this.timeline.items.add(item_id), adjusted_score]),
    );
  }

  /** Logs the page that was served last, as if it had been shown like this. */
  async show(shown?: Omit<Shown, 'items'> & { items: readonly number[] }): Promise<void> {
    const { state, ingest, lessons } = this.community;
    const { names } = state.items;
    const keyOf = (item: number) => names.key(names.find(this.timeline.items.id(item)));
    await lessons.teach(ingest.shown, shown && { ...shown, items: shown.items.map(keyOf) });
  }

  private async apply(slice: readonly Taken[]): Promise<void> {
    const { durable } = await this.writer.queue(slice, false);
    await durable;
  }

  /** At equal times descriptions come first, then counts, then acts. */
  private *until(moment: Moment): Generator<Taken> {
    const { described, counts, acts } = this.timeline;
    for (;;) {
      const described_time =
        this.described_at < moment.described ? dueAt(described[this.described_at]) : Number.POSITIVE_INFINITY;
      const counted_time = timeAt(counts, this.counts_at, moment.counts);
      const act_time = timeAt(acts, this.acts_at, moment.acts);
      if (Math.min(described_time, counted_time, act_time) === Number.POSITIVE_INFINITY) return;
      if (described_time <= counted_time && described_time <= act_time) {
        yield described[this.described_at++];
      } else if (counted_time <= act_time) {
        const record = counts.record(this.counts_at++);
        yield { kind: 'engagement', record, time: counted_time, line: 0, report: undefined };
      } else {
        const record = acts.record(this.acts_at++);
        yield { kind: 'interactions', record, time: act_time, line: 0, report: undefined };
      }
    }
  }
}

function timeAt({ time }: { time: Float64Array }, at: number, end: number): number {
  return at < end ? time[at] : Number.POSITIVE_INFINITY;
}
