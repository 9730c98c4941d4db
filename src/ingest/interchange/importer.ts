import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { LIMITS } from '../../limits.ts';
import { garbageCollector } from '../../state/garbage.ts';
import type { State } from '../../state/state.ts';
import type { Store } from '../../store/store.ts';
import type { Ingest } from '../ingest.ts';
import type { Queued } from '../workbench.ts';
import { DataClock } from './data-clock.ts';
import type { Folder, Kind } from './files.ts';
import { formatOf } from './formats.ts';
import { TrendImport } from './import-trends.ts';
import { Intake } from './intake.ts';
import { Merge } from './merge.ts';
import type { FileReport, ImportLog } from './report.ts';
import { Source } from './source.ts';

/** Slices that are on their way to the store while the next is prepared. */
const SLICES_UNDER_WAY_MAX = 12;
/** Changes that a record makes at most: three names, a version, a count. */
const CHANGES_PER_RECORD_MAX = 5;
/** Records that wait for the end; when there are more, they are taken as they come. */
const HELD_MAX = 100_000;

export interface ImportProgress {
  /** On disk, so that compressed files count as they are. */
  bytes_taken: number;
  /** Undefined where that is not known, as of pipes. */
  bytes_total: number | undefined;
  records: number;
}

export interface ImportResult {
  files: FileReport[];
  /** Lines that were read, bad ones included. */
  records: number;
  /** Changes that were stored. */
  changes: number;
  /** Items that interactions named and nothing described. */
  bare_items: number;
  /** Records dated after the service's clock. */
  ahead: number;
}

/** What an import writes to: a service. */
export interface ImportTarget {
  state: State;
  store: Store;
  ingest: Ingest;
  clock: Clock;
  settings: { write_queue: number };
}

/**
 * Imports interchange files into a service that nobody else writes to. The files are read as one stream in
 * order of time, which is also the clock of what is stored; memory does not grow with them. What was learnt of trends
 * where they come from is taken over at the end, by a service that had nothing before but what the same import, broken
 * off, left there.
 * @throws StartupError for the first bad line of a strict import, or a file that cannot be read further;
 * ServiceError `store_unavailable`. What came before stays in either case, and the import can be repeated.
 */
export async function importFiles(
  service: ImportTarget,
  { files, trend_files }: Pick<Folder, 'files' | 'trend_files'>,
  log: ImportLog,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const sources = files.map((file) => new Source(file, log, formatOf(file)));
  const merge = new Merge(sources, log);
  const bytes_total = totalOf(files.map(({ bytes }) => bytes));
  const reports = sources.map(({ report }) => report);
  const seq_before = service.state.seq;
  const trends = new TrendImport(service, log);
  try {
    await trends.read(trend_files.find(({ kind }) => kind === 'trends'));
    await merge.open();
    log.throwIfStopped();
    if (sources.some(({ head }) => head !== undefined)) await trends.begin();
    const clock = startClock(service, merge.start, trends.told_at);
    const run = new ImportRun(service, new Intake(service.state, service.ingest, clock, log));
    await run.takeAll(merge, () =>
      onProgress({
        bytes_taken: sources.reduce((sum, { bytes_taken }) => sum + bytes_taken, 0),
        bytes_total,
        records: recordsOf(reports),
      }),
    );
    log.throwIfStopped();
    const bare_items = await run.describeBareItems();
    await trends.take();
    const changes = service.state.seq - seq_before;
    const all = [...reports, ...trends.reports];
    return { files: all, records: recordsOf(all), changes, bare_items, ahead: clock.ahead_count };
  } finally {
    merge.close();
    for (const report of reports) report.finish();
  }
}

/** Undefined when one of them is. */
function totalOf(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, bytes) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    0,
  );
}

/** Never behind what is stored, never ahead of the service or of the state that is told of. */
function startClock(
  { state, clock }: ImportTarget,
  start = state.applied_at,
  told_at = Number.POSITIVE_INFINITY,
): DataClock {
  const ceiling = Math.max(clock.now(), state.applied_at);
  const first = Math.min(start, ceiling, told_at);
  return new DataClock(Math.max(state.applied_at, first), start, ceiling, told_at);
}

function recordsOf(reports: readonly FileReport[]): number {
  return reports.reduce((sum, { accepted, rejected }) => sum + accepted + rejected, 0);
}

/** Keeps several slices under way, so that reading, preparing and storing overlap. */
class ImportRun {
  private readonly under_way: Promise<void>[] = [];
  private readonly collect: () => void;

  constructor(
    private readonly service: ImportTarget,
    private readonly intake: Intake,
  ) {
    this.collect = garbageCollector(service.state);
  }

  async takeAll(merge: Merge, onSlice: () => void): Promise<void> {
    const { intake } = this;
    let blocks_held = false;
    for (;;) {
      const entries = await merge.take(LIMITS.ingest_slice_records);
      if (entries.length === 0) break;
      const blocks_end = entries.findLastIndex(({ kind }) => kind === 'blocks') + 1;
      await this.inSlices(entries.slice(0, blocks_end), (slice) => intake.queue(slice));
      blocks_held ||= blocks_end > 0;
      // Blocks come in one go, and the last of each pair is known when they are over.
      if (blocks_held && blocks_end < entries.length) {
        await this.release('blocks');
        blocks_held = false;
      }
      await this.inSlices(entries.slice(blocks_end), (slice) => intake.queue(slice));
      if (intake.held.size >= HELD_MAX) await this.release();
      onSlice();
    }
    await this.settle();
    await this.inSlices(intake.late.inOrder(), (late) => intake.queueCounters(late));
    await this.settle();
    await this.release();
    await this.settle();
    onSlice();
  }

  /** @returns how many there were */
  async describeBareItems(): Promise<number> {
    const bare = [...this.intake.first_seen.bareItems(this.service.state)];
    await this.inSlices(bare, (items) => this.intake.queueBareItems(items));
    await this.settle();
    return bare.length;
  }

  private release(kind?: Kind): Promise<void> {
    return this.inSlices(this.intake.held.release(kind), (records) => this.intake.queue(records, false));
  }

  private async inSlices<T>(all: Iterable<T>, queue: (slice: T[]) => Promise<Queued>): Promise<void> {
    let slice: T[] = [];
    for (const one of all) {
      slice.push(one);
      if (slice.length < LIMITS.ingest_slice_records) continue;
      const full = slice;
      slice = [];
      await this.submit(() => queue(full));
    }
    if (slice.length > 0) await this.submit(() => queue(slice));
  }

  private async submit(queue: () => Promise<Queued>): Promise<void> {
    while (this.under_way.length > 0 && this.isFull()) await this.under_way.shift();
    const { durable } = await queue();
    durable.catch(() => {});
    this.under_way.push(durable);
    this.collect();
    // The writer's answers arrive in turns of the event loop.
    await nextTurn();
  }

  private isFull(): boolean {
    if (this.under_way.length >= SLICES_UNDER_WAY_MAX) return true;
    const { store, settings } = this.service;
    const coming = LIMITS.ingest_slice_records * CHANGES_PER_RECORD_MAX;
    return store.queued_records + coming > settings.write_queue;
  }

  /** Waits until everything is durable and applied. */
  private async settle(): Promise<void> {
    for (const durable of this.under_way.splice(0)) await durable;
  }
}
