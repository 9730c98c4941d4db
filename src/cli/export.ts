import { type ExportOptions, exportFiles } from '../ingest/interchange/exporter.ts';
import { FILE_NAMES } from '../ingest/interchange/files.ts';
import type { Settings } from '../settings.ts';
import { openStore } from '../store/store.ts';

/**
 * `feedloom export DIR`: writes the community as interchange files, also beside a running service.
 * @throws StartupError when there is no data, or the folder already has interchange files and `force` is not set
 */
export async function exportFolder(
  settings: Settings,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  const store = await openStore({
    ...settings,
    role: 'beside',
    must_exist: true,
    command: 'feedloom export',
  });
  try {
    const files = await exportFiles(store, folder, options);
    for (const { kind, lines } of files) {
      const name = options.gzip ? `${FILE_NAMES[kind]}.gz` : FILE_NAMES[kind];
      console.log(`${name.padEnd('interactions.csv.gz'.length)}  ${lines.toLocaleString('en-US')} records`);
    }
    if (files.length === 0) console.log('nothing is stored, and nothing was written');
  } finally {
    await store.close();
  }
}
