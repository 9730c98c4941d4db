import type { Clock } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { describeFaults } from '../ingest/outcome.ts';
import type { ChangeBatch } from '../ingest/state-capacity.ts';
import { runAll, type Workbench } from '../ingest/workbench.ts';
import type { Folder, InterchangeFile, WalletKind } from '../interchange/files.ts';
import type { FileReport, ImportLog } from '../interchange/report.ts';
import { Source } from '../interchange/source.ts';
import { LIMITS } from '../limits.ts';
import type { State } from '../state/state.ts';
import { type DatedEvent, type WalletRecord, walletFormat } from './formats.ts';
import { type Former, withFormer } from './former.ts';
import { CatalogIngest } from './ingest-catalog.ts';
import { EventRecorder, outdatedEvent } from './record-events.ts';

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
  private readonly events: EventRecorder;
  private readonly items: CatalogIngest;
  private readonly under_way: Promise<void>[] = [];
  private now = 0;
  /** Whether a strict import has stopped at a record that contradicts stored data. */
  private cut = false;

  constructor(
    private readonly community: ImportTarget,
    private readonly chain: string,
  ) {
    const { state, ingest, stamps } = community;
    this.events = new EventRecorder(state, ingest, stamps);
    this.items = new CatalogIngest(chain, ingest, stamps);
    this.now = state.applied_at;
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
    const isFull = () => this.under_way.length >= SLICES_UNDER_WAY_MAX || !ingest.hasRoom(slice.length);
    while (this.under_way.length > 0 && isFull()) await this.under_way.shift();
    const { durable } = await ingest.prepared((bench) =>
      withFormer(
        bench.item_versions,
        () => this.needed(slice, bench),
        (former) => {
          const changes = bench.batch();
          const applied: (() => void)[] = [];
          const stop = log?.stop;
          for (const entry of slice) {
            applied.push(...this.prepare(entry, former, bench, changes));
            // The file is read ahead, so an earlier stop may belong to a later record.
            if (log?.stop === stop) continue;
            this.cut = true;
            break;
          }
          return bench.submit({ changes, records: slice.length, onApplied: () => runAll(applied) });
        },
      ),
    );
    durable.catch(() => {});
    this.under_way.push(durable);
  }

  private needed(slice: readonly Taken[], bench: Workbench): string[] {
    const described = slice.flatMap((entry) => (entry.kind === 'events' ? [] : [entry.record.item_id]));
    const events = slice.flatMap((entry) => (entry.kind === 'events' ? [entry.record] : []));
    return [...described, ...this.events.predated(events, bench)];
  }

  private prepare(entry: Taken, former: Former, bench: Workbench, changes: ChangeBatch): (() => void)[] {
    if (entry.kind === 'events' && !this.meet(entry.record, entry)) return [];
    const known = changes.length;
    const outdated = entry.kind === 'events' ? outdatedEvent(entry.record, bench, this.now) : undefined;
    if (outdated !== undefined) return unchanged(entry, [outdated]);
    const prepared =
      entry.kind === 'events'
        ? { applied: this.events.prepare(entry.record, this.now, former, bench, changes), warnings: [] }
        : this.items.prepare(entry.record, this.latest(), former, bench, changes);
    if ('faults' in prepared) {
      entry.report?.reject(entry.line, describeFaults(prepared.faults));
      return [];
    }
    if (prepared.warnings.length > 0) return unchanged(entry, prepared.warnings);
    entry.report?.accept(changes.length > known);
    return prepared.applied;
  }

  /** The time of the data or else of the state. The current time if neither has one. */
  private latest(): number {
    const { state, stamps } = this.community;
    return Math.max(this.now, state.applied_at) || stamps.now();
  }

  private async settle(): Promise<void> {
    for (const durable of this.under_way.splice(0)) await durable;
  }

  /** Advances the data's time to that of an event. Returns false if the event is ahead of the clock. */
  private meet({ timestamp }: DatedEvent, { line, report }: Taken): boolean {
    const clock = this.community.stamps.now();
    if (timestamp > clock + LIMITS.future_tolerance_seconds) {
      report?.reject(line, "timestamp: lies ahead of the service's clock");
      return false;
    }
    this.now = Math.max(this.now, Math.min(timestamp, clock));
    return true;
  }
}

/** Accepts a record that changes nothing, and prints why. */
function unchanged({ report, line }: Taken, warnings: readonly string[]): [] {
  report?.accept(false);
  report?.warn(warnings, line);
  return [];
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
