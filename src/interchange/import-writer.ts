import type { Ingest } from '../ingest/ingest.ts';
import type { Queued } from '../ingest/write-queue.ts';
import type { ItemCounters } from '../model/records/index.ts';
import type { State } from '../state/state.ts';
import type { DataClock } from './data-clock.ts';
import { DeferredRecords, type Taken } from './deferred-records.ts';
import { type FirstAct, FirstSeen } from './first-seen.ts';
import type { ImportedItem } from './formats.ts';
import { type ImportProgress, ImportSlice, readsOf } from './import-slice.ts';
import { LateCounts } from './late-counts.ts';
import type { ImportLog } from './report.ts';
import { ShownPages } from './shown-pages.ts';

/** Turns records of all kinds, in order, into queued changes. */
export class ImportWriter implements ImportProgress {
  readonly deferred = new DeferredRecords();
  readonly late = new LateCounts();
  readonly first_seen = new FirstSeen();
  readonly shown = new ShownPages();
  change_count = 0;
  /** Whether a strict import met a record that only the stored data proves bad. */
  private cut = false;

  constructor(
    readonly state: State,
    private readonly ingest: Ingest,
    readonly clock: DataClock,
    readonly log: ImportLog,
  ) {}

  /**
   * Queues records. Resolves when they are in the queue. A strict import stops at a bad record.
   * @param defers false to apply records that were deferred
   */
  queue(records: readonly Taken[], defers = true): Promise<Queued> {
    return this.ingest.queue.write({
      reads: () => readsOf(records, this.ingest.context),
      prepare: (batch) => {
        const slice = new ImportSlice(this, batch, defers);
        const { stop } = this.log;
        for (const record of defers && this.cut ? [] : records) {
          slice.take(record);
          // Compared, because files are read ahead: an earlier stop may concern a later record.
          if (this.log.stop === stop) continue;
          this.cut = true;
          break;
        }
        this.change_count += batch.length;
      },
    });
  }

  /** Queues counters that had to wait. */
  queueCounters(late: readonly { item: number; counters: ItemCounters }[]): Promise<Queued> {
    return this.ingest.queue.write({
      prepare: (batch) => {
        const slice = new ImportSlice(this, batch, true);
        for (const { item, counters } of late) slice.takeCounters(item, counters);
        this.change_count += batch.length;
      },
    });
  }

  /** Queues the times of items. @param completeness what else is known of them */
  queueTimes(items: readonly FirstAct[], completeness: ImportedItem['completeness']): Promise<Queued> {
    return this.queue(
      items.map(({ item_id, created_at }) => ({
        kind: 'items',
        record: { item_id, content: { created_at }, completeness },
        time: undefined,
        line: 0,
        report: undefined,
      })),
      completeness === 'bare',
    );
  }
}
