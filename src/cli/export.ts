import { clockOf } from '../clock.ts';
import { experimentLines } from '../experiments/experiment-file.ts';
import { ExportFolder, type ExportOptions } from '../interchange/export-folder.ts';
import { exportFiles, exportWallets } from '../interchange/exporter.ts';
import { EXPORT_NAMES } from '../interchange/files.ts';
import { DEFAULT_SCORE, signalKey } from '../model/signal-key.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { BadRow } from '../store/bad-rows.ts';
import { besideService } from '../store/beside.ts';
import { print, printNotice } from './output.ts';
import { untilSignal } from './until-signal.ts';

/** Number of bad rows that are printed one by one. */
const BAD_ROWS_SHOWN = 20;

/**
 * `feedloom export DIR`: writes the community and its saved feeds as interchange files, even while a service runs.
 * @throws StartupError if there is no data, or the folder has interchange files and `force` is not set
 */
export async function exportFolder(
  settings: Settings,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  const bad_rows = new BadRows();
  const helpers = { experimentsOf: experimentLines, signalName: await signalNames(settings) };
  const files = await besideService(settings, 'feedloom export', ({ content, wallets }) =>
    whole(folder, options, async (target) => [
      ...(await exportFiles(content, target, bad_rows.print, helpers, clockOf(settings))),
      ...(wallets === undefined ? [] : await exportWallets(wallets, target, bad_rows.print)),
    ]),
  );
  for (const { kind, lines } of files) {
    const name = options.gzip ? `${EXPORT_NAMES[kind]}.gz` : EXPORT_NAMES[kind];
    const count = lines === 1 ? '1 record' : `${lines.toLocaleString('en-US')} records`;
    print(`${name.padEnd('interactions.csv.gz'.length)}  ${count}`);
  }
  if (files.length === 0) print('nothing is stored, and nothing was written');
  bad_rows.sum();
}

/** Names of signals by their keys. Those of plugins that are not loaded have names like `signal_1a2b3c4d`. */
async function signalNames(settings: Settings): Promise<(key: number) => string> {
  const { registry, refused_plugins } = await openRegistry({ ...settings, plugins_strict: false });
  for (const { message } of refused_plugins) printNotice(message);
  const names = new Map([DEFAULT_SCORE, ...registry.ids('signals')].map((name) => [signalKey(name), name]));
  return (key) => names.get(key) ?? `signal_${key.toString(16).padStart(8, '0')}`;
}

/** Prints the first rows that cannot be exported, and finally their number. */
class BadRows {
  private count = 0;

  readonly print = ({ table, seq, reason }: BadRow): void => {
    if (this.count++ < BAD_ROWS_SHOWN)
      printNotice(`left out: row ${seq} of the table '${table}' (${reason})`);
  };

  sum(): void {
    if (this.count > 0) printNotice(`${this.count} stored rows could not be read and were left out`);
  }
}

/** Writes all files or leaves the old ones, also if a signal ends the process. */
async function whole<T>(
  folder: string,
  options: ExportOptions,
  write: (target: ExportFolder) => Promise<T>,
): Promise<T> {
  let target: ExportFolder | undefined;
  return untilSignal(
    () => target?.abandon(),
    async () => {
      target = new ExportFolder(folder, options);
      try {
        const written = await write(target);
        target.finish();
        return written;
      } catch (error) {
        target.abandon();
        throw error;
      }
    },
  );
}
