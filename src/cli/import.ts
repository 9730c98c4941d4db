import { type Clock, monotonicMs as machineMs, type Timers } from '../clock.ts';
import { rootReasonOf, ServiceError, StartupError } from '../errors.ts';
import { importExperiments } from '../experiments/import.ts';
import { type Folder, type FolderOptions, readFolder } from '../interchange/files.ts';
import { type FeedImportResult, importFeeds } from '../interchange/import-feeds.ts';
import { importLists } from '../interchange/import-lists.ts';
import { importPreferences } from '../interchange/import-preferences.ts';
import { type ImportResult, importFiles, importWallets } from '../interchange/importer.ts';
import { type FileReport, ImportLog, type RejectionLimit } from '../interchange/report.ts';
import { grouped } from '../plugin/list-of.ts';
import { printable } from '../printable.ts';
import { isMappable } from '../rows/file-names.ts';
import { openService } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { cliActor } from './actor.ts';
import { type ShownProgress, shownOnStderr } from './import-progress.ts';
import { requireAccepted } from './import-verdict.ts';
import { printNotice } from './output.ts';

export interface ImportOptions extends FolderOptions {
  strict: boolean;
  /** Maximum number of bad lines. Default: unlimited. */
  max_rejected?: RejectionLimit;
  /** Whether items that no file describes stay unknown, because they may be private. */
  hides_bare?: boolean;
  /** Replaces the clock of the settings. */
  clock?: Clock;
  /** Replaces the bar or lines on stderr. */
  progress?: ShownProgress;
  /** Replaces the machine's monotonic clock and timers. */
  monotonicMs?(): number;
  timers?: Timers;
}

/**
 * `feedloom import DIR`: imports interchange files. Bad lines are printed on stderr and skipped.
 * @returns a summary for the user
 * @throws StartupError for a folder without interchange files, data in use, the first bad line of a strict import, too
 * many bad lines, a file with only bad lines, and if nothing was accepted
 */
export async function importFolder(given: Settings, folder: string, options: ImportOptions): Promise<string> {
  const { strict, max_rejected, clock, monotonicMs = machineMs, timers } = options;
  const { progress = shownOnStderr() } = options;
  const found = foundIn(folder, options);
  const { files, feed_files, list_files, preferences_files, experiment_files, wallet_files } = found;
  const settings = { ...given, plugins: undefined, metadata_provider: 'catalog' };
  const service = await openService(settings, { command: 'feedloom import', clock, monotonicMs, timers });
  try {
    // Checked first, because wallet files are imported last.
    if (wallet_files.length > 0) await requireWallets(service.store);
    // An import has no clients to protect, so it fails fast when the store does not answer.
    service.store.stopWaiting();
    service.alpha.whenThere(({ store }) => store.stopWaiting());
    const log = new ImportLog(strict, (line) => progress.print(line), undefined, max_rejected);
    const reports: FileReport[] = [];
    const parts: string[] = [];
    const content_from_ms = monotonicMs();
    const secondsSince = (from_ms: number) => (monotonicMs() - from_ms) / 1000;
    let content = NOTHING;
    if (files.length > 0) {
      content = await importFiles(service, found, log, (now) => progress.show(now), options);
      await service.ingest.trend.save();
      progress.end();
    }
    if (list_files.length > 0) content = together(content, await importLists(service, list_files, log));
    if (preferences_files.length > 0)
      content = together(content, await importPreferences(service, preferences_files, log));
    if (feed_files.length > 0) {
      content = together(content, await importFeeds({ ...service, actor: cliActor() }, feed_files, log));
    }
    if (experiment_files.length > 0) {
      const target = { ...service, actor: cliActor() };
      content = together(content, await importExperiments(target, experiment_files, log));
    }
    reports.push(...content.files);
    if (content.files.length > 0)
      parts.push(summary(content, secondsSince(content_from_ms), options.hides_bare));
    if (wallet_files.length > 0) {
      const from_ms = monotonicMs();
      const community = await service.alpha.create();
      const imported = await importWallets({ ...community, settings }, found, settings.chain, log);
      await community.ingest.trend.save();
      const result = together(NOTHING, imported);
      reports.push(...result.files);
      parts.push(summary(result, secondsSince(from_ms)));
    }
    // A checkpoint saves the next start from reading the imported records again.
    for (const { checkpoints, state } of [service, service.alpha.community ?? []].flat())
      await checkpoints?.writeOwn(state, () => progress.print(PREPARING));
    const text = parts.join('\n');
    requireAccepted(reports, log, () => progress.print(text));
    return text;
  } catch (error) {
    throw brokenOff(error);
  } finally {
    progress.end();
    await service.alpha.close();
    await service.store.close();
  }
}

/** The files of a folder. Prints a notice about ignored files. @throws StartupError as `readFolder` */
export function foundIn(folder: string, { maps, time_unit, nulls }: FolderOptions): Folder {
  const found = readFolder(folder, { maps, time_unit, nulls });
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

/** The error to report when an import fails. If the store failed, it says that no data is lost. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') return error;
  return new StartupError(
    error.code,
    `the import was interrupted, as the store cannot be used (${rootReasonOf(error)})`,
    'what was imported so far stays; import the same files again once the store answers',
  );
}

const PREPARING = 'imported; now preparing neighbour lists and a checkpoint for the next start';

const NOTHING: ImportResult = {
  files: [],
  records: 0,
  changes: 0,
  bare_items: 0,
  undated: { by_acts: 0, assumed: 0 },
  ahead: 0,
};

function together(content: ImportResult, { files, records, changes }: FeedImportResult): ImportResult {
  return {
    ...content,
    files: [...content.files, ...files],
    records: content.records + records,
    changes: content.changes + changes,
  };
}

function summary(result: ImportResult, seconds: number, hides_bare = false): string {
  const { files, records, changes, bare_items, undated, ahead } = result;
  const width = Math.max(...files.map(({ name }) => name.length));
  const lines = files.map(({ name, accepted, unchanged, skipped, rejected }) => {
    const counts = `${grouped(accepted)} accepted (${grouped(unchanged)} unchanged)${ofSkipped(skipped)}`;
    return `${name.padEnd(width)}  ${counts}, ${grouped(rejected)} rejected`;
  });
  if (bare_items > 0) {
    const [what, are] = bare_items === 1 ? ['item', 'was'] : ['items', 'were'];
    const outcome = hides_bare ? 'not shown' : 'made from interactions';
    lines.push(`${grouped(bare_items)} ${what} that nothing describes ${are} ${outcome}`);
  }
  if (undated.by_acts > 0) lines.push(`${ofUndated(undated.by_acts)} got the date of the first act`);
  if (undated.assumed > 0)
    lines.push(
      `${ofUndated(undated.assumed)} and without acts got the date of the first line that has one, or of today`,
    );
  if (ahead > 0) {
    lines.push(
      `${grouped(ahead)} records have a time in the future; they count from the latest time before it`,
    );
  }
  const rate = grouped(Math.round(records / Math.max(seconds, 0.001)));
  const count = records === 1 ? '1 record' : `${grouped(records)} records`;
  lines.push(`${count} in ${seconds.toFixed(1)} s (${rate}/s), ${grouped(changes)} changes stored`);
  return lines.join('\n');
}

/** The lines that were left out on purpose, in a list of counts; empty if there are none. */
export function ofSkipped(skipped: number): string {
  return skipped === 0 ? '' : `, ${grouped(skipped)} skipped`;
}

/** Items whose lines have no date, as the subject of a sentence. */
export function ofUndated(count: number): string {
  return count === 1 ? '1 item without a date' : `${grouped(count)} items without a date`;
}
