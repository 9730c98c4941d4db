import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportWallets } from '../../src/interchange/exporter.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { type ImportResult, importWallets } from '../../src/interchange/importer.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { type Files, readFiles, withFolder } from '../interchange/support.ts';
import { openTestServer, type TestServer } from '../support/service.ts';
import { AlphaClient, wallet } from './support.ts';

type Told = Pick<ImportResult, 'files' | 'changes'> & { lines: string[] };

/** The effect of a folder's files on a service, and its output. */
export async function importInto(
  { service: { alpha, settings } }: TestServer,
  folder: string,
  strict = false,
): Promise<Told> {
  const lines: string[] = [];
  const log = new ImportLog(strict, (line) => lines.push(line));
  const target = { ...(await alpha.create()), settings };
  const results = await importWallets(target, readFolder(folder), alpha.chain, log);
  const changes = results.reduce((sum, result) => sum + result.changes, 0);
  return { files: results.flatMap(({ files }) => files), changes, lines };
}

/** Imports files into a new service and reads its state. */
export function withImported(
  files: Files,
  work: (alpha: AlphaClient, told: Told, server: TestServer, folder: string) => Promise<void>,
): Promise<void> {
  return withFolder(files, async (folder) => {
    const server = await openTestServer();
    try {
      await work(new AlphaClient(server), await importInto(server, folder), server, folder);
    } finally {
      await server.close();
    }
  });
}

const HEADER = 'wallet_address,item_id,event_type,timestamp\n';

/** An `events.csv`. */
export function csv(
  ...events: [who: number, item_id: string, event_type: string, time: number | string][]
): string {
  return HEADER + events.map(([who, ...rest]) => `${wallet(who)},${rest.join(',')}\n`).join('');
}

/** The exported files of a service. */
export async function exported({ service }: TestServer): Promise<Record<string, string>> {
  return withFolder({}, async (folder) => {
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportWallets(service.alpha.community!.store, target);
    target.finish();
    return readFiles(folder);
  });
}
