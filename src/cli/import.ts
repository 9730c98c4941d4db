import { type Clock, monotonicMs as machineMs, type Timers } from '../clock.ts';
import { rootReasonOf, ServiceError, StartupError } from '../errors.ts';
import { isMappable } from '../ingest/interchange/file-map.ts';
import { type FileMap, type Folder, readFolder } from '../ingest/interchange/files.ts';
import { type FeedImportResult, importFeeds } from '../ingest/interchange/import-feeds.ts';
import { type ImportResult, importFiles } from '../ingest/interchange/importer.ts';
import { type FileReport, ImportLog, type RejectionLimit } from '../ingest/interchange/report.ts';
import type { TimeUnit } from '../ingest/records/refusal.ts';
import { grouped } from '../plugin/list-of.ts';
import { printable } from '../printable.ts';
import { openService } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { cliActor } from './actor.ts';
import { type ShownProgress, shownOnStderr } from './import-progress.ts';
import { requireAccepted } from './import-verdict.ts';
import { printNotice } from './output.ts';

export interface ImportOptions {
  /** Stops at the first bad line. */
  strict: boolean;
  /** How many lines may be bad; default: any number. */
  max_rejected?: RejectionLimit;
  /** How foreign files are read. */
  maps?: readonly FileMap[];
  /** The unit of times that are numbers; default: seconds. */
  time_unit?: TimeUnit;
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
 * @throws StartupError for a folder without interchange files, data in use, in a strict import the first bad line, for too
 * many bad lines, a file of nothing but bad lines, and when nothing was accepted
 */
export async function importFolder(given: Settings, folder: string, options: ImportOptions): Promise<string> {
  const { strict, max_rejected, clock, monotonicMs = machineMs, timers } = options;
  const { progress = shownOnStderr() } = options;
  const found = foundIn(folder, options);
  const { files, feed_files, wallet_files } = found;
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
    const log = new ImportLog(strict, (line) => progress.print(line), undefined, max_rejected);
    const reports: FileReport[] = [];
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
      content = together(content, await importFeeds({ ...service, actor: cliActor() }, feed_files, log));
    }
    reports.push(...content.files);
    if (content.files.length > 0) parts.push(summary(content, secondsSince(content_from_ms)));
    if (wallet_files.length > 0) {
      const from_ms = monotonicMs();
      const result = await service.alpha.importFiles(found, log);
      const { community } = service.alpha;
      await community?.ingest.trend.save();
      reports.push(...result.files);
      parts.push(summary({ ...NOTHING, ...result }, secondsSince(from_ms)));
    }
    // The next start need not read again what was just taken in.
    for (const { checkpoints, state } of [service, service.alpha.community ?? []].flat())
      await checkpoints?.writeOwn(state);
    const told = parts.join('\n');
    requireAccepted(reports, log, () => progress.print(told));
    return told;
  } catch (error) {
    throw brokenOff(error);
  } finally {
    progress.end();
    await service.alpha.close();
    await service.store.close();
  }
}

/** The files of a folder, once the reader knows which are ignored. @throws StartupError as of `readFolder` */
export function foundIn(folder: string, options: Pick<ImportOptions, 'maps' | 'time_unit'>): Folder {
  const found = readFolder(folder, options);
  for (const { name, reason } of found.ignored) printNotice(`ignored: ${printable(name)} (${reason})`);
  if (found.ignored.some(({ name }) => isMappable(name))) {
    printNotice('feedloom import --map reads files of other names and columns; see feedloom import --help');
  }
  return found;
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
  const rate = grouped(Math.round(records / Math.max(seconds, 0.001)));
  lines.push(
    `${grouped(records)} records in ${seconds.toFixed(1)} s (${rate}/s), ${grouped(changes)} changes stored`,
  );
  return lines.join('\n');
}
