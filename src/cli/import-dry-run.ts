import { missingOfNewItem } from '../ingest/prepare-versions.ts';
import type { FolderOptions, InterchangeFile } from '../interchange/files.ts';
import { formatOf, type ImportedItem, walletFormatOf } from '../interchange/formats.ts';
import type { Format } from '../interchange/line-formats.ts';
import { type FileReport, ImportLog } from '../interchange/report.ts';
import { type Entry, Source } from '../interchange/source.ts';
import { describeFaults } from '../model/values/refusal.ts';
import { grouped } from '../plugin/list-of.ts';
import { printable } from '../printable.ts';
import { foundIn, type ImportOptions, ofSkipped, ofUndated } from './import.ts';
import { requireAccepted } from './import-verdict.ts';
import { printNotice } from './output.ts';

const SHOWN_MAX = 3;
const OUTCOME = 'This was a dry run: nothing has been imported.';

type DryRunOptions = Pick<ImportOptions, 'strict' | 'max_rejected'> & FolderOptions;

/**
 * `feedloom import DIR --dry-run`: reads the files like an import and stores nothing.
 *
 * It opens no data. So it cannot tell whether a line about an item that is not in the files is good.
 * @returns the number of lines and the first records of each file
 * @throws StartupError as `importFolder`
 */
export async function dryRun(folder: string, chain: string, options: DryRunOptions): Promise<string> {
  const { files, wallet_files, feed_files, list_files, preferences_files, experiment_files } = foundIn(
    folder,
    options,
  );
  const log = new ImportLog(options.strict, printNotice, OUTCOME, options.max_rejected);
  const reports: FileReport[] = [];
  const parts: string[] = [];
  const items = new NewItems();
  for (const file of files) {
    const read = await readAll(file, log, formatOf(file), ({ kind, record }) => {
      return kind === 'items' ? items.lacking(record) : undefined;
    });
    reports.push(read.report);
    parts.push(summaryOf(file, read));
  }
  for (const file of wallet_files) {
    const read = await readAll(file, log, walletFormatOf(file, chain), () => undefined);
    reports.push(read.report);
    parts.push(summaryOf(file, read));
  }
  for (const { name } of [...feed_files, ...list_files, ...preferences_files, ...experiment_files])
    parts.push(`${printable(name)}: not read in a dry run`);
  if (items.undated > 0) parts.push(`${ofUndated(items.undated)} would get the date of the first act`);
  const text = [...parts, OUTCOME].join('\n');
  if (reports.length > 0) requireAccepted(reports, log, () => printNotice(text));
  return text;
}

/** The items that lines describe. */
class NewItems {
  undated = 0;
  private readonly known = new Set<string>();

  /** Why a line about an item is incomplete. */
  lacking(record: ImportedItem): string | undefined {
    if (this.known.has(record.item_id)) return undefined;
    const missing = missingOfNewItem(record, undefined, record.completeness);
    const faults = missing.filter(({ path }) => path !== '/created_at');
    if (faults.length > 0) return describeFaults(faults);
    this.known.add(record.item_id);
    if (missing.length > 0) this.undated++;
    return undefined;
  }
}

interface Read {
  report: FileReport;
  /** The first records. */
  shown: object[];
  /** Number of records that hide what they describe. */
  hidden: number;
}

/** @param doubtOf names the missing part, which may be stored already */
async function readAll<T extends { record: object }>(
  file: InterchangeFile<FileReport['kind']>,
  log: ImportLog,
  format: Format<T>,
  doubtOf: (entry: Entry<T>) => string | undefined,
): Promise<Read> {
  const source = new Source<T>(file, log, format);
  const shown: object[] = [];
  let hidden = 0;
  for await (const entry of source.entries()) {
    const { report, line, record } = entry;
    // What is left of a rejected line.
    if (report !== source.report) continue;
    const doubt = doubtOf(entry);
    if (doubt !== undefined) report.warn([`${doubt} that is not stored already`], line);
    report.accept(true);
    const fields = flat(record);
    if ('hidden' in fields && fields.hidden === true) hidden++;
    if (shown.length < SHOWN_MAX) shown.push(fields);
  }
  log.throwIfStopped();
  return { report: source.report, shown, hidden };
}

function summaryOf(
  { name, kind }: InterchangeFile<FileReport['kind']>,
  { report: { accepted, rejected, skipped }, shown, hidden }: Read,
): string {
  const of_hidden = hidden === 0 ? '' : ` (${grouped(hidden)} hidden)`;
  const left_out = `${ofSkipped(skipped)}, ${grouped(rejected)} rejected`;
  const counts = `${grouped(accepted)} would be accepted${of_hidden}${left_out}`;
  const lines = shown.map((record) => `  ${JSON.stringify(record)}`);
  return [`${name} as ${kind}: ${counts}`, ...lines].map(printable).join('\n');
}

function flat(record: object): object {
  const { content = {}, counters = {}, completeness, ...others } = record as Partial<ImportedItem>;
  const author = completeness === undefined || completeness === 'described' ? {} : { author_id: null };
  return { ...others, ...author, ...content, ...counters };
}
