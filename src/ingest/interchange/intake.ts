import { LIMITS } from '../../limits.ts';
import type { State } from '../../state/state.ts';
import type { Ingest } from '../ingest.ts';
import type { ItemCounters } from '../records/index.ts';
import type { Queued } from '../workbench.ts';
import { FirstSeen } from './first-seen.ts';
import { Held, type Taken } from './held.ts';
import { LateCounts } from './late-counts.ts';
import type { ImportLog } from './report.ts';
import { Slice } from './slice.ts';

/**
 * How far the data's time goes on to that of a record: never ahead of the service's own clock, nor of the state that is
 * told of unless the record came after it.
 * @param told_at the time of that state; Infinity without one
 * @param lead how far ahead of the state that it came into a record's time may lie
 */
export function reached(time: number, ceiling: number, told_at: number, lead: number): number {
  return Math.min(time, time <= told_at + lead ? Math.min(ceiling, told_at) : ceiling);
}

/** The data's time: the latest time met so far, and never ahead of the service's own clock. */
export class DataClock {
  /** Records dated after `ceiling`, which count as of the data's time. */
  ahead_count = 0;

  /**
   * @param now where it starts, seconds
   * @param start the time of records that have none
   * @param ceiling the service's clock
   * @param told_at the time of the state that is told of
   */
  constructor(
    public now: number,
    readonly start: number,
    private readonly ceiling: number,
    private readonly told_at = Number.POSITIVE_INFINITY,
  ) {}

  /** @param lead how far ahead of the state that it came into a record's time may lie */
  meet(time: number, lead: number): void {
    if (time > this.ceiling) this.ahead_count++;
    this.now = Math.max(this.now, reached(time, this.ceiling, this.told_at, lead));
  }

  /** Further ahead of everything than clocks differ. */
  isFarAhead(time: number): boolean {
    return time > this.ceiling + LIMITS.future_tolerance_seconds;
  }

  /** The time of an act; undefined when it lies ahead of everything. */
  past(time: number | undefined): number | undefined {
    if (time === undefined) return this.start;
    return time > this.ceiling ? undefined : time;
  }
}

/** Turns records of all kinds, in their order, into queued changes. */
export class Intake {
  readonly held = new Held();
  readonly late = new LateCounts();
  readonly first_seen = new FirstSeen();
  /** A strict import has met a record that only what is stored shows to be bad. */
  private cut = false;

  constructor(
    readonly state: State,
    private readonly ingest: Ingest,
    readonly clock: DataClock,
    readonly log: ImportLog,
  ) {}

  /**
   * Queues records; resolves when they are in the queue. In a strict import nothing that follows a bad
   * record is taken.
   * @param holding false: records that were held are taken now
   */
  queue(records: readonly Taken[], holding = true): Promise<Queued> {
    return this.ingest.prepared(async (bench) => {
      const slice = new Slice(this, bench, holding);
      if (holding && this.cut) return bench.submit(slice.finish());
      do await slice.load(records);
      while (slice.outdated);
      const { stop } = this.log;
      for (const record of records) {
        slice.take(record);
        // Compared, since the files are read ahead: an earlier stop may be about a later record.
        if (this.log.stop === stop) continue;
        this.cut = true;
        break;
      }
      return bench.submit(slice.finish());
    });
  }

  /** Queues counters that had to wait. */
  queueCounters(late: readonly { item: number; counters: ItemCounters }[]): Promise<Queued> {
    return this.ingest.prepared(async (bench) => {
      const slice = new Slice(this, bench, true);
      for (const { item, counters } of late) slice.takeCounters(item, counters);
      return bench.submit(slice.finish());
    });
  }

  /** Queues items of which nothing is known but when they were first seen. */
  queueBareItems(items: readonly { item_id: string; created_at: number }[]): Promise<Queued> {
    return this.queue(
      items.map(({ item_id, created_at }) => ({
        kind: 'items',
        record: { item_id, content: { created_at }, standing: 'bare' },
        time: undefined,
        line: 0,
        report: undefined,
      })),
    );
  }
}
