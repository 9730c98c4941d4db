import { exportWallets } from '../alpha/export.ts';
import { StartupError } from '../errors.ts';
import { ExportFolder, type ExportOptions } from '../ingest/interchange/export-folder.ts';
import { exportFiles } from '../ingest/interchange/exporter.ts';
import { NAMES } from '../ingest/interchange/files.ts';
import type { Settings } from '../settings.ts';
import { openStore } from '../store/open-store.ts';

/**
 * `feedloom export DIR`: writes the community and its saved feeds as interchange files, also beside a running service.
 * @throws StartupError when there is no data, or the folder already has interchange files and `force` is not set
 */
export async function exportFolder(
  settings: Settings,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  const beside = { ...settings, role: 'beside', must_exist: true, command: 'feedloom export' } as const;
  const store = await openStore(beside);
  const wallets = await openStore({ ...beside, community: 'wallets' }).catch(onlyContent);
  try {
    const target = new ExportFolder(folder, options);
    const files = await whole(target, async () => [
      ...(await exportFiles(store, target)),
      ...(wallets === undefined ? [] : await exportWallets(wallets, target)),
    ]);
    for (const { kind, lines } of files) {
      const name = options.gzip ? `${NAMES[kind]}.gz` : NAMES[kind];
      console.log(`${name.padEnd('interactions.csv.gz'.length)}  ${lines.toLocaleString('en-US')} records`);
    }
    if (files.length === 0) console.log('nothing is stored, and nothing was written');
  } finally {
    await wallets?.close();
    await store.close();
  }
}

/** All files, or those that were there. */
async function whole<T>(target: ExportFolder, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write();
    target.finish();
    return written;
  } catch (error) {
    target.abandon();
    throw error;
  }
}

/** A service that nobody ever sent wallet events to has nothing of that kind. */
function onlyContent(error: unknown): undefined {
  if (!(error instanceof StartupError) || error.code !== 'no_data') throw error;
}
