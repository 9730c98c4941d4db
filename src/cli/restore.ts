import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, parse, resolve } from 'node:path';
import { reasonOf, StartupError } from '../errors.ts';
import { flushToDisk } from '../files/new-file.ts';
import { WorkFolder } from '../files/work-folder.ts';
import type { Settings } from '../settings.ts';
import type { CommunityName } from '../store/connection.ts';
import type { KeyRecord } from '../store/keys.ts';
import { openStore } from '../store/open-store.ts';
import { databaseFile, isDatabasePart, prepareFolder } from '../store/sqlite/connection.ts';
import { databaseFault } from '../store/sqlite/integrity.ts';
import { keyTable } from './key-table.ts';
import { print, printText } from './output.ts';
import { untilSignal } from './until-signal.ts';

/** Folder inside the data folder in which copies are made and checked. */
const WORK_FOLDER = 'restore.under-way';
const PRIVATE_FILE = 0o600;

interface Part {
  community: CommunityName;
  file: string;
}

/** Path of the wallets' backup that belongs to a backup file. */
export function walletsFileOf(file: string): string {
  const { dir, name, ext } = parse(resolve(file));
  return join(dir, `${name}-wallets${ext}`);
}

/**
 * `feedloom restore FILE`: fills an empty data folder from a backup, including the wallets' backup next to it.
 *
 * All copies are checked before any of them gets its final name.
 * @throws StartupError `restore_failed` if the folder is not empty, or the file is not a complete, readable backup
 */
export async function restore(settings: Settings, file: string): Promise<void> {
  const { data, database_url } = settings;
  if (database_url !== undefined) {
    throw failed(file, 'feedloom backup writes SQLite files', "use the database's own tool, pg_restore");
  }
  const wallets_file = walletsFileOf(file);
  const parts: Part[] = [{ community: 'content', file: resolve(file) }];
  if (existsSync(wallets_file)) parts.unshift({ community: 'wallets', file: wallets_file });
  requireEmpty(data, file);
  for (const { file } of parts) requireWhole(file);
  prepareFolder(data);
  let folder: WorkFolder | undefined;
  let keys: readonly KeyRecord[] | undefined;
  const remove = () => folder?.remove();
  await untilSignal(remove, async () => {
    folder = takeFolder(data, file);
    keys = await filled(settings, file, parts, folder).finally(remove);
  });
  for (const { community } of parts) {
    const path = databaseFile(data, community);
    print(`${path}  ${(statSync(path).size / 1e6).toFixed(1)} MB`);
  }
  printKeys(keys);
}

/** Lists the keys of the backup, because keys that were revoked after it are valid again. */
function printKeys(keys: readonly KeyRecord[] | undefined): void {
  if (keys === undefined)
    print("the backup is of an older version; 'feedloom keys list' shows its keys after the first start");
  else if (keys.length === 0) print('the backup has no keys');
  else {
    print("the backup brings these keys; active ones are valid: 'feedloom keys revoke ID' revokes one");
    printText(keyTable(keys));
  }
}

/**
 * Copies and checks the files, then renames them. Content comes last, because without it there is no data.
 * @returns the keys; undefined if they are of an older version
 */
async function filled(
  settings: Settings,
  named: string,
  parts: readonly Part[],
  folder: WorkFolder,
): Promise<readonly KeyRecord[] | undefined> {
  const { data } = settings;
  const placed: string[] = [];
  let keys: readonly KeyRecord[] | undefined;
  try {
    for (const { community, file } of parts) {
      const copy = databaseFile(folder.path, community);
      copyFileSync(file, copy);
      chmodSync(copy, PRIVATE_FILE);
      keys = await keysIn({ ...settings, data: folder.path }, community);
      flushToDisk(copy);
    }
    requireEmpty(data, named);
    for (const { community } of parts) {
      const path = databaseFile(data, community);
      folder.place(basename(path), path);
      placed.push(path);
    }
    flushToDisk(data);
    return keys;
  } catch (error) {
    for (const path of placed) rmSync(path);
    throw error instanceof StartupError && error.code === 'restore_failed'
      ? error
      : failed(named, reasonOf(error));
  }
}

/**
 * Checks that this version can read a copy. Data of an older version is migrated when the service starts.
 * @returns its keys; undefined if it is of an older version
 */
async function keysIn(
  settings: Settings,
  community: CommunityName,
): Promise<readonly KeyRecord[] | undefined> {
  try {
    const beside = { role: 'beside', must_exist: true, command: 'feedloom restore' } as const;
    const store = await openStore({ ...settings, community, ...beside });
    try {
      return await store.keys.list();
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StartupError) || error.code !== 'data_outdated') throw error;
    return undefined;
  }
}

function requireWhole(file: string): void {
  const fault = databaseFault(file);
  if (fault !== undefined) throw failed(file, fault, 'name a file that feedloom backup wrote');
}

function requireEmpty(data: string, file: string): void {
  if (!existsSync(data)) return;
  const [first] = readdirSync(data).filter((name) => name !== WORK_FOLDER);
  if (first === undefined) return;
  throw failed(
    file,
    `the data folder '${data}' is not empty, it holds '${first}'`,
    'name an empty folder with --data',
  );
}

function takeFolder(data: string, file: string): WorkFolder {
  const path = join(data, WORK_FOLDER);
  const folder = WorkFolder.take(path, isDatabasePart);
  if (folder !== undefined) return folder;
  throw failed(
    file,
    `another restore is running, in '${path}'`,
    'wait until it ends, or name another folder',
  );
}

function failed(file: string, reason: string, remedy?: string): StartupError {
  return new StartupError('restore_failed', `'${file}' could not be restored: ${reason}`, remedy);
}
