import type { Clock } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { describeFaults } from '../ingest/outcome.ts';
import type { PreparedRecord, RecordKind } from '../ingest/record-kinds.ts';
import type { WriteBatch } from '../ingest/write-batch.ts';
import type { Folder, InterchangeFile, WalletKind } from '../interchange/files.ts';
import type { FileReport, ImportLog } from '../interchange/report.ts';
import { Source } from '../interchange/source.ts';
import { LIMITS } from '../limits.ts';
import type { State } from '../state/state.ts';
import type { CatalogRecord } from './catalog-record.ts';
import { type DatedEvent, type WalletRecord, walletFormat } from './formats.ts';
import { catalogKind } from './ingest-catalog.ts';
import { addEvent, outdatedEvent, predated } from './record-events.ts';

/** Maximum number of slices that are being stored while the next slice is prepared. */
const SLICES_UNDER_WAY_MAX = 8;

/** The community of wallets that takes the records. */
interface ImportTarget {
  state: State;
  ingest: Ingest;
  /** The time of what has none of its own. */
  stamps: Clock;
}

export interface WalletImportResult {
  files: FileReport[];
  records: number;
  changes: number;
}

/** A record that is being imported. Records without a line have no report. */
type Taken = WalletRecord & { line: number; report: FileReport | undefined };

/**
 * Imports events and the catalog into a community without other writers.
 *
 * Stored changes get their time from the data: the latest event time so far, but never ahead of the community's
 * clock. A catalog without events has no time of its own.
 */
export class WalletImport {
  private readonly catalog: RecordKind<CatalogRecord>;
  private readonly under_way: Promise<void>[] = [];
  private now = 0;
  /** Whether a strict import has stopped at a record that contradicts stored data. */
  private cut = false;

  constructor(
    private readonly community: ImportTarget,
    private readonly chain: string,
  ) {
    this.catalog = catalogKind(chain);
    this.now = community.state.applied_at;
  }

  /**
   * Imports events first, so that the catalog's data is not older than they are.
   * @throws StartupError for the first bad line of a strict import, or if a file cannot be read
   */
  async files({ wallet_files }: Pick<Folder, 'wallet_files'>, log: ImportLog): Promise<WalletImportResult> {
    const reports: FileReport[] = [];
    const { state } = this.community;
    const before = state.seq;
    for (const file of wallet_files) {
      const source = new Source<WalletRecord>(file, log, walletFormat(file, this.chain));
      reports.push(source.report);
      try {
        for await (const slice of slicesOf(source)) await this.take(slice, log);
        await this.settle();
      } finally {
        source.close();
        source.report.finish();
      }
      log.throwIfStopped();
    }
    const records = reports.reduce((sum, { accepted, rejected }) => sum + accepted + rejected, 0);
    return { files: reports, records, changes: state.seq - before };
  }

  /** Imports events that are in order of time. */
  async takeEvents(events: readonly DatedEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += LIMITS.ingest_slice_records) {
      const slice = events.slice(start, start + LIMITS.ingest_slice_records);
      await this.take(slice.map((record) => ({ kind: 'events', record, line: 0, report: undefined })));
    }
    await this.settle();
  }

  /** In a strict import, records after a bad one are not imported. */
  private async take(slice: readonly Taken[], log?: ImportLog): Promise<void> {
    if (this.cut) return;
    const { ingest } = this.community;
    const isFull = () => this.under_way.length >= SLICES_UNDER_WAY_MAX || !ingest.queue.hasRoom(slice.length);
    while (this.under_way.length > 0 && isFull()) await this.under_way.shift();
    const { durable } = await ingest.queue.write({
      records: slice.length,
      reads: () => ({ items: this.needed(slice) }),
      prepare: (batch) => {
        const stop = log?.stop;
        for (const entry of slice) {
          this.prepare(entry, batch);
          // The file is read ahead, so an earlier stop may belong to a later record.
          if (log?.stop === stop) continue;
          this.cut = true;
          break;
        }
      },
    });
    durable.catch(() => {});
    this.under_way.push(durable);
  }

  /** The items whose current versions the records extend. */
  private needed(slice: readonly Taken[]): string[] {
    const described = slice.flatMap((entry) => (entry.kind === 'events' ? [] : [entry.record.item_id]));
    const events = slice.flatMap((entry) => (entry.kind === 'events' ? [entry.record] : []));
    return [...described, ...predated(events, this.community.ingest.context)];
  }

  private prepare(entry: Taken, batch: WriteBatch): void {
    const { report, line } = entry;
    const { length } = batch;
    const prepared =
      entry.kind === 'events' ? this.event(entry.record, batch) : this.item(entry.record, batch);
    const { faults = [], warnings = [] } = prepared;
    if (faults.length > 0) {
      report?.reject(line, describeFaults(faults));
      return;
    }
    report?.accept(batch.length > length);
    report?.warn(warnings, line);
  }

  private event(event: DatedEvent, batch: WriteBatch): PreparedRecord {
    const clock = this.community.stamps.now();
    if (event.timestamp > clock + LIMITS.future_tolerance_seconds)
      return { faults: [{ path: '/timestamp', message: "lies ahead of the service's clock" }] };
    this.now = Math.max(this.now, Math.min(event.timestamp, clock));
    batch.applied_at = this.now;
    const outdated = outdatedEvent(event, batch);
    if (outdated !== undefined) return { warnings: [outdated] };
    addEvent(event, batch, true);
    return {};
  }

  private item(record: CatalogRecord, batch: WriteBatch): PreparedRecord {
    batch.applied_at = this.latest();
    return this.catalog.prepare(record, batch);
  }

  /** The time of the data or else of the state. The current time if neither has one. */
  private latest(): number {
    const { state, stamps } = this.community;
    return Math.max(this.now, state.applied_at) || stamps.now();
  }

  private async settle(): Promise<void> {
    for (const durable of this.under_way.splice(0)) await durable;
  }
}

/** The records of a file in slices of several hundred. */
async function* slicesOf(source: Source<WalletRecord>): AsyncGenerator<Taken[]> {
  let slice: Taken[] = [];
  await source.refill();
  while (source.head !== undefined) {
    slice.push(source.head);
    if (!source.advance()) await source.refill();
    if (slice.length < LIMITS.ingest_slice_records) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/**
 * Reads the events of a file.
 * @throws StartupError if the file cannot be read
 */
export async function readEvents(
  file: InterchangeFile<WalletKind>,
  chain: string,
  log: ImportLog,
): Promise<DatedEvent[]> {
  const source = new Source<WalletRecord>(file, log, walletFormat(file, chain));
  const events: DatedEvent[] = [];
  try {
    for await (const slice of slicesOf(source))
      for (const entry of slice) if (entry.kind === 'events') events.push(entry.record);
  } finally {
    source.close();
    source.report.finish();
  }
  log.throwIfStopped();
  return events;
}
