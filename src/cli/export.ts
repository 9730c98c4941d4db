import { exportWallets } from '../alpha/export.ts';
import { ExportFolder, type ExportOptions } from '../ingest/interchange/export-folder.ts';
import { exportFiles } from '../ingest/interchange/exporter.ts';
import { NAMES } from '../ingest/interchange/files.ts';
import type { Settings } from '../settings.ts';
import { besideService } from './beside.ts';
import { print } from './output.ts';
import { untilSignal } from './until-signal.ts';

/**
 * `feedloom export DIR`: writes the community and its saved feeds as interchange files, also beside a running service.
 * @throws StartupError when there is no data, or the folder already has interchange files and `force` is not set
 */
export async function exportFolder(
  settings: Settings,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  const files = await besideService(settings, 'feedloom export', ({ content, wallets }) =>
    whole(folder, options, async (target) => [
      ...(await exportFiles(content, target)),
      ...(wallets === undefined ? [] : await exportWallets(wallets, target)),
    ]),
  );
  for (const { kind, lines } of files) {
    const name = options.gzip ? `${NAMES[kind]}.gz` : NAMES[kind];
    print(`${name.padEnd('interactions.csv.gz'.length)}  ${lines.toLocaleString('en-US')} records`);
  }
  if (files.length === 0) print('nothing is stored, and nothing was written');
}

/** All files, or those that were there, also when a signal ends the process. */
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
