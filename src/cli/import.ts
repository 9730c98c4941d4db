import { SingleBar } from 'cli-progress';
import { type Clock, monotonicMs as machineMs, type Timers } from '../clock.ts';
import { rootReasonOf, ServiceError, StartupError } from '../errors.ts';
import { readFolder } from '../ingest/interchange/files.ts';
import { type FeedImportResult, importFeeds } from '../ingest/interchange/import-feeds.ts';
import { type ImportProgress, type ImportResult, importFiles } from '../ingest/interchange/importer.ts';
import { ImportLog } from '../ingest/interchange/report.ts';
import { printable } from '../printable.ts';
import { openService } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { printNotice } from './output.ts';

/** Share of the bytes after which a line tells how far an import is, where no bar can be drawn. */
const TOLD_EVERY_PERCENT = 10;
/** Records after which one does where it is not known how many bytes there are. */
const TOLD_EVERY_RECORDS = 100_000;

export interface ImportOptions {
  /** Stops at the first bad line. */
  strict: boolean;
  /** Replaces the clock that the settings ask for. */
  clock?: Clock;
  /** Replaces a bar or lines on stderr. */
  progress?: ShownProgress;
  /** Replace the machine's stopwatch and timers. */
  monotonicMs?(): number;
  timers?: Timers;
}

/**
 * `feedloom import DIR`: takes interchange files in. Bad lines are told on stderr and skipped.
 * @returns what became of them, for the reader
 * @throws StartupError for a folder without interchange files, data in use, and in a strict import the
 * first bad line
 */
export async function importFolder(
  given: Settings,
  folder: string,
  { strict, clock, progress = shownOnStderr(), monotonicMs = machineMs, timers }: ImportOptions,
): Promise<string> {
  const found = readFolder(folder);
  const { files, feed_files, wallet_files, ignored } = found;
  for (const { name, reason } of ignored) printNotice(`ignored: ${printable(name)} (${reason})`);
  const settings = { ...given, plugins: undefined, metadata_provider: 'catalog' };
  const service = await openService(settings, {
    command: 'feedloom import',
    clock,
    monotonicMs,
    timers,
    imports: true,
  });
  try {
    // Before anything is taken: what comes last may be what nothing can be done with.
    if (wallet_files.length > 0) await requireWallets(service.store);
    // Nobody waits for an import that waits for a store that has fallen silent.
    service.store.hurry();
    service.alpha.whenThere(({ store }) => store.hurry());
    const log = new ImportLog(strict, (line) => progress.print(line));
    const parts: string[] = [];
    const content_from_ms = monotonicMs();
    const secondsSince = (from_ms: number) => (monotonicMs() - from_ms) / 1000;
    let content = NOTHING;
    if (files.length > 0) {
      content = await importFiles(service, found, log, (now) => progress.show(now));
      await service.ingest.trend.save();
      progress.end();
    }
    if (feed_files.length > 0) {
      content = together(content, await importFeeds(service, feed_files, log));
    }
    if (content.files.length > 0) parts.push(summary(content, secondsSince(content_from_ms)));
    if (wallet_files.length > 0) {
      const from_ms = monotonicMs();
      const result = await service.alpha.importFiles(found, log);
      const { community } = service.alpha;
      await community?.ingest.trend.save();
      parts.push(summary({ ...NOTHING, ...result }, secondsSince(from_ms)));
    }
    // The next start need not read again what was just taken in.
    for (const { checkpoints, state } of [service, service.alpha.community ?? []].flat())
      await checkpoints?.writeOwn(state);
    return parts.join('\n');
  } catch (error) {
    throw brokenOff(error);
  } finally {
    progress.end();
    await service.alpha.close();
    await service.store.close();
  }
}

async function requireWallets(store: Store): Promise<void> {
  const refusal = await store.walletsRefusal();
  if (refusal !== undefined) throw refusal;
}

/** What to tell of an error that ends an import: of a store that cannot be used, that nothing is lost. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') return error;
  return new StartupError(
    error.code,
    `the import has broken off, as the store cannot be used (${rootReasonOf(error)})`,
    'what was imported so far stays; import the same files again once the store answers',
  );
}

const NOTHING: ImportResult = { files: [], records: 0, changes: 0, bare_items: 0, ahead: 0 };

/** Content and its saved feeds, told as one. */
function together(content: ImportResult, { files, records, changes }: FeedImportResult): ImportResult {
  return {
    ...content,
    files: [...content.files, ...files],
    records: content.records + records,
    changes: content.changes + changes,
  };
}

/** How an import is followed. */
export interface ShownProgress {
  show(progress: ImportProgress): void;
  /** A line for the reader, which leaves the bar whole. */
  print(line: string): void;
  end(): void;
}

function shownOnStderr(): ShownProgress {
  return process.stderr.isTTY ? new ProgressBar() : new ProgressLines();
}

class ProgressBar implements ShownProgress {
  private readonly start_ms = machineMs();
  private readonly lines = new ProgressLines();
  private total = 0;
  private readonly bar = new SingleBar({
    format: '{bar} {percentage} % | {records} records | {rate}/s',
    hideCursor: true,
    clearOnComplete: true,
  });

  show(progress: ImportProgress): void {
    const { bytes_taken, bytes_total, records } = progress;
    if (bytes_total === undefined) {
      this.lines.show(progress);
      return;
    }
    const seconds = (machineMs() - this.start_ms) / 1000;
    const shown = { records: grouped(records), rate: grouped(records / seconds) };
    if (this.total === 0) {
      this.total = bytes_total;
      this.bar.start(bytes_total, bytes_taken, shown);
    } else this.bar.update(bytes_taken, shown);
  }

  print(line: string): void {
    if (this.total > 0) process.stderr.write('\r\u001b[K');
    printNotice(line);
  }

  end(): void {
    if (this.total > 0) this.bar.stop();
    this.total = 0;
  }
}

class ProgressLines implements ShownProgress {
  private told_percent = 0;
  private told_records = 0;

  show({ bytes_taken, bytes_total, records }: ImportProgress): void {
    if (bytes_total === undefined) {
      if (records < this.told_records + TOLD_EVERY_RECORDS) return;
      this.told_records = records;
      printNotice(`${grouped(records)} records read`);
      return;
    }
    const percent = Math.floor((bytes_taken * 100) / Math.max(bytes_total, 1));
    if (percent < this.told_percent + TOLD_EVERY_PERCENT) return;
    this.told_percent = percent - (percent % TOLD_EVERY_PERCENT);
    printNotice(`${this.told_percent} % read, ${grouped(records)} records`);
  }

  print(line: string): void {
    printNotice(line);
  }

  end(): void {}
}

function summary({ files, records, changes, bare_items, ahead }: ImportResult, seconds: number): string {
  const width = Math.max(...files.map(({ name }) => name.length));
  const lines = files.map(({ name, accepted, unchanged, rejected }) => {
    const counts = `${grouped(accepted)} accepted (${grouped(unchanged)} unchanged), ${grouped(rejected)} rejected`;
    return `${name.padEnd(width)}  ${counts}`;
  });
  if (bare_items > 0) {
    const made = bare_items === 1 ? 'item that nothing describes was' : 'items that nothing describes were';
    lines.push(`${grouped(bare_items)} ${made} made from interactions`);
  }
  if (ahead > 0) {
    lines.push(
      `${grouped(ahead)} records are dated after the present; what they tell counts as of the latest time before it`,
    );
  }
  const rate = grouped(records / Math.max(seconds, 0.001));
  lines.push(
    `${grouped(records)} records in ${seconds.toFixed(1)} s (${rate}/s), ${grouped(changes)} changes stored`,
  );
  return lines.join('\n');
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
