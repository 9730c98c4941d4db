import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Queued } from '../ingest/write-queue.ts';
import { LIMITS } from '../limits.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import { garbageCollector } from '../state/garbage.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { DataClock } from './data-clock.ts';
import type { FileKind, Folder, InterchangeFile, WalletKind } from './files.ts';
import type { FirstAct } from './first-seen.ts';
import { type DatedEvent, formatOf, type Timed, type TimedOfWallets, walletFormatOf } from './formats.ts';
import { ImportWriter } from './import-writer.ts';
import type { Format } from './line-formats.ts';
import { type FileReport, ImportLog } from './report.ts';
import { type Entry, Source } from './source.ts';

/**
 * Merges the records of several files into one stream by time.
 *
 * The next record is the earliest of the files' heads. At the same time, the order of the sources decides. A record
 * without a time is due at once, so an unsorted file delays only itself.
 */
class Merge {
  /** @param sources in order of precedence */
  constructor(
    private readonly sources: readonly Source<Timed | TimedOfWallets>[],
    private readonly log: ImportLog,
  ) {}

  async open(): Promise<void> {
    for (const source of this.sources) await source.refill();
  }

  /** The earliest time of the first records in seconds; undefined if none has a time. */
  get start(): number | undefined {
    const times = this.sources.flatMap(({ head }) => head?.time ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** At most `limit` further records; none at the end, or after a bad line in a strict import. */
  async take(limit: number): Promise<Entry<Timed | TimedOfWallets>[]> {
    const entries: Entry<Timed | TimedOfWallets>[] = [];
    while (entries.length < limit && this.log.stop === undefined) {
      const source = this.earliest();
      if (source?.head === undefined) break;
      entries.push(source.head);
      if (!source.advance()) await source.refill();
    }
    return entries;
  }

  close(): void {
    for (const source of this.sources) source.close();
  }

  private earliest(): Source<Timed | TimedOfWallets> | undefined {
    let earliest: Source<Timed | TimedOfWallets> | undefined;
    let earliest_time = Number.POSITIVE_INFINITY;
    for (const source of this.sources) {
      if (source.head === undefined) continue;
      const time = source.head.time ?? Number.NEGATIVE_INFINITY;
      if (time >= earliest_time) continue;
      earliest = source;
      earliest_time = time;
    }
    return earliest;
  }
}

/** Maximum number of slices that are being stored while the next is prepared. */
const SLICES_UNDER_WAY_MAX = 12;
/** Maximum number of changes per record: three names, a version, a count. */
const CHANGES_PER_RECORD_MAX = 5;
/** Maximum number of deferred records. Further ones are applied in order. */
const DEFERRED_MAX = 100_000;

export interface ImportProgress {
  /** Bytes on disk, so compressed files count with their compressed size. */
  bytes_taken: number;
  /** Undefined if unknown, as for pipes. */
  bytes_total: number | undefined;
  records: number;
}

export interface ImportResult {
  files: FileReport[];
  /** Lines that were read, including bad ones. */
  records: number;
  changes: number;
  /** Items in interactions without a description. */
  bare_items: number;
  /** Items without a date, which have that of their first act, or an assumed one. */
  undated: { by_acts: number; assumed: number };
  /** Records dated after the service's clock. */
  ahead: number;
}

/** The service that an import writes to. */
export interface ImportTarget {
  state: State;
  store: Store;
  ingest: Ingest;
  seen: SeenBook;
  clock: Clock;
  settings: { write_queue: number };
}

/**
 * Imports interchange files into a service that has no other writer.
 *
 * The files are merged into one stream by time, which is also the clock of the stored changes. Memory does not grow
 * with the files.
 * @param options.hides_bare leaves items that no file describes unknown, so that they are not shown
 * @throws StartupError for the first bad line of a strict import, or an unreadable file; ServiceError
 * `store_unavailable`. Earlier records stay imported, and the import can be repeated.
 */
export async function importFiles(
  service: ImportTarget,
  { files }: Pick<Folder, 'files'>,
  log: ImportLog,
  onProgress: (progress: ImportProgress) => void,
  { hides_bare = false }: { hides_bare?: boolean } = {},
): Promise<ImportResult> {
  return importMerged(service, files, formatOf, log, onProgress, { hides_bare });
}

/**
 * Imports files of wallets one after another: events first, so that the catalog's data is not older than they are. A
 * catalog without events has no time of its own. Otherwise as `importFiles`.
 */
export async function importWallets(
  service: ImportTarget,
  { wallet_files }: Pick<Folder, 'wallet_files'>,
  chain: string,
  log: ImportLog,
): Promise<Pick<ImportResult, 'files' | 'records' | 'changes'>> {
  const total = { files: [] as FileReport[], records: 0, changes: 0 };
  for (const file of wallet_files) {
    const start = service.state.applied_at || service.clock.now();
    const format = (of: InterchangeFile<WalletKind>) => walletFormatOf(of, chain);
    const options = { untimed_start: start };
    const { files, records, changes } = await importMerged(service, [file], format, log, () => {}, options);
    total.files.push(...files);
    total.records += records;
    total.changes += changes;
  }
  return total;
}

async function importMerged<K extends FileKind>(
  service: ImportTarget,
  files: readonly InterchangeFile<K>[],
  formatOf: (file: InterchangeFile<K>) => Format<Timed | TimedOfWallets>,
  log: ImportLog,
  onProgress: (progress: ImportProgress) => void,
  { untimed_start, hides_bare = false }: { untimed_start?: number; hides_bare?: boolean },
): Promise<ImportResult> {
  const sources = files.map((file) => new Source(file, log, formatOf(file)));
  const merge = new Merge(sources, log);
  const bytes_total = totalOf(files.map(({ bytes }) => bytes));
  const reports = sources.map(({ report }) => report);
  try {
    await merge.open();
    log.throwIfStopped();
    const clock = startClock(service, merge.start ?? untimed_start);
    const writer = new ImportWriter(service.state, service.ingest, clock, log);
    const run = new ImportRun(service, writer);
    await run.takeAll(merge, () =>
      onProgress({
        bytes_taken: sources.reduce((sum, { bytes_taken }) => sum + bytes_taken, 0),
        bytes_total,
        records: recordsOf(reports),
      }),
    );
    log.throwIfStopped();
    const undated = await run.dateItems();
    const bare_items = await run.describeBareItems(hides_bare);
    const { change_count: changes } = writer;
    const records = recordsOf(reports);
    return { files: reports, records, changes, bare_items, undated, ahead: clock.ahead_count };
  } finally {
    merge.close();
    for (const report of reports) report.finish();
  }
}

/** Imports events of wallets that are in memory, in order of time. */
export async function importEvents(service: ImportTarget, events: readonly DatedEvent[]): Promise<void> {
  const log = new ImportLog(false, () => {});
  const clock = startClock(service, events[0]?.timestamp);
  await new ImportRun(service, new ImportWriter(service.state, service.ingest, clock, log)).takeEvents(
    events,
  );
}

/** Undefined if one of them is. */
function totalOf(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, bytes) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    0,
  );
}

/** Starts at the stored time, but not ahead of the service. */
function startClock({ state, clock }: ImportTarget, start = state.applied_at): DataClock {
  const ceiling = Math.max(clock.now(), state.applied_at);
  return new DataClock(Math.max(state.applied_at, Math.min(start, ceiling)), start, ceiling);
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
    private readonly writer: ImportWriter,
  ) {
    this.collect = garbageCollector(service.state);
  }

  async takeAll(merge: Merge, onSlice: () => void): Promise<void> {
    const { writer } = this;
    for (;;) {
      const entries = await merge.take(LIMITS.ingest_slice_records);
      if (entries.length === 0) break;
      await this.inSlices(entries, (slice) => writer.queue(slice));
      if (writer.deferred.size >= DEFERRED_MAX) await this.takeDeferred();
      if (writer.shown.is_full) await this.flushShown();
      onSlice();
    }
    await this.settle();
    await this.inSlices(writer.late.inOrder(), (late) => writer.queueCounters(late));
    await this.settle();
    await this.takeDeferred();
    await this.flushShown();
    onSlice();
  }

  async takeEvents(events: readonly DatedEvent[]): Promise<void> {
    await this.inSlices(events, (slice) =>
      this.writer.queue(
        slice.map((record) => ({
          kind: 'events',
          record,
          time: record.timestamp,
          line: 0,
          report: undefined,
        })),
      ),
    );
    await this.settle();
  }

  /** @returns the number of items */
  async describeBareItems(hides_bare: boolean): Promise<number> {
    const bare = [...this.writer.first_seen.bareItems(this.service.state)];
    if (hides_bare) return bare.length;
    await this.inSlices(bare, (items) => this.writer.queueTimes(items, 'bare'));
    await this.settle();
    return bare.length;
  }

  async dateItems(): Promise<ImportResult['undated']> {
    const undated = { by_acts: 0, assumed: 0 };
    const dated: FirstAct[] = [];
    for (const { item_id, created_at } of this.writer.first_seen.undatedItems(this.service.state)) {
      if (created_at === undefined) undated.assumed++;
      else undated.by_acts = dated.push({ item_id, created_at });
    }
    await this.inSlices(dated, (items) => this.writer.queueTimes(items, 'described'));
    await this.settle();
    return undated;
  }

  private async flushShown(): Promise<void> {
    await this.settle();
    await this.writer.shown.flush(this.service.seen);
  }

  private takeDeferred(): Promise<void> {
    return this.inSlices(this.writer.deferred.takeAll(), (records) => this.writer.queue(records, false));
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
    // The writer's replies arrive in turns of the event loop.
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
