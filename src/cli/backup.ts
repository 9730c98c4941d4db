import { lstatSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { fold } from '../checkpoint/fold.ts';
import { systemClock } from '../clock.ts';
import { reasonOf, StartupError } from '../errors.ts';
import { flushToDisk } from '../files/new-file.ts';
import { WorkFolder } from '../files/work-folder.ts';
import { feedDaysChange } from '../ingest/shown-counts.ts';
import { learntChanges } from '../ingest/trend-keeper.ts';
import { integer } from '../setting-values.ts';
import { DATA_SETTINGS, type Settings } from '../settings.ts';
import { State } from '../state/state.ts';
import { CONTENT, type Vocabulary, WALLETS } from '../state/vocabulary.ts';
import type { Learning } from '../store/backup.ts';
import { besideService } from '../store/beside.ts';
import type { CommunityName } from '../store/connection.ts';
import { foldOptions } from '../store/fold-options.ts';
import { backup as refuseBackup } from '../store/postgres/backup.ts';
import { databaseFile, isDatabasePart } from '../store/sqlite/connection.ts';
import { databaseFault } from '../store/sqlite/integrity.ts';
import type { Store } from '../store/store.ts';
import { backupIn, removeLeftOvers, removeOldBackups, workFolderOf } from './kept-backups.ts';
import { print } from './output.ts';
import { walletsFileOf } from './restore.ts';
import type { Tools } from './tools.ts';
import { untilSignal } from './until-signal.ts';

interface Part {
  store: Store;
  community: CommunityName;
  vocabulary: Vocabulary;
  file: string;
}

/** How many backups `--keep` may keep. */
const KEEP_MAX = 10_000;

const HELP = `
With --keep, <file> is a folder. The backup gets a name with the time in UTC. When it is complete and was read back without a
fault, older backups of the same data go, if --keep wrote them. Other files and backups of other data stay.`;

/** Adds `feedloom backup`. */
export function addBackup(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  const command = feedloom
    .command('backup <file>')
    .description(
      'write the embedded database as it is now into one file, also beside a running service; for PostgreSQL use pg_dump',
    )
    .option('--keep <count>', 'write into the folder <file>, and keep the newest backups there', (text) =>
      integer(1, KEEP_MAX)(text, '--keep'),
    )
    .addHelpText('after', HELP);
  withSettings(command, DATA_SETTINGS).action((file: string, { keep }: { keep?: number }) =>
    keep === undefined ? backup(settingsOf(command), file) : backupAndKeep(settingsOf(command), file, keep),
  );
}

/** `feedloom backup FOLDER --keep COUNT`. */
async function backupAndKeep(settings: Settings, folder: string, keep: number): Promise<void> {
  const file = backupIn(resolve(folder), systemClock.now());
  removeLeftOvers(dirname(file));
  await backup(settings, file, { check: requireWhole });
  for (const old of removeOldBackups(file, keep)) print(`removed ${old}`);
}

/** Reads a copy back. */
function requireWhole(copy: string): void {
  const fault = databaseFault(copy);
  if (fault !== undefined) throw new Error(fault);
}

/**
 * `feedloom backup FILE`: writes a snapshot of the data, even while a service runs.
 *
 * Wallets have a separate database, whose backup is written next to FILE. Either both files are written or none.
 * @param check called with each copy before it gets its name
 * @throws StartupError if there is no data, FILE exists, or it cannot be written
 */
export async function backup(
  settings: Settings,
  file: string,
  { check }: { check?: (copy: string) => void } = {},
): Promise<void> {
  if (settings.database_url !== undefined) refuseBackup();
  const content_file = resolve(file);
  const wallets_file = walletsFileOf(file);
  const files = await besideService(settings, 'feedloom backup', async ({ content, wallets }) => {
    const parts: Part[] = [{ store: content, community: 'content', vocabulary: CONTENT, file: content_file }];
    if (wallets !== undefined)
      parts.push({ store: wallets, community: 'wallets', vocabulary: WALLETS, file: wallets_file });
    for (const { file } of parts) requireFree(file);
    await inFolder(content_file, (folder) => written(parts, folder, check));
    return parts.map(({ file }) => file);
  });
  for (const file of files) print(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}

/** Runs work with a temporary folder. The folder is removed at the end, also if a signal ends the process. */
async function inFolder(file: string, work: (folder: WorkFolder) => Promise<void>): Promise<void> {
  let folder: WorkFolder | undefined;
  const remove = () => folder?.remove();
  await untilSignal(remove, async () => {
    folder = takeFolder(file);
    await work(folder).finally(remove);
  });
}

/** Writes all parts before any of them gets its final name. */
async function written(
  parts: readonly Part[],
  folder: WorkFolder,
  check: (copy: string) => void = () => {},
): Promise<void> {
  for (const { store, community, vocabulary, file } of parts) {
    await orFailed(file, async () => {
      await store.backup(folder.path, learning(vocabulary));
      const copy = databaseFile(folder.path, community);
      flushToDisk(copy);
      check(copy);
    });
  }
  const placed: string[] = [];
  for (const { community, file } of parts) {
    await orFailed(file, async () => {
      folder.place(basename(databaseFile('', community)), file);
      placed.push(file);
      flushToDisk(dirname(file));
    }).catch((error) => {
      for (const each of placed) rmSync(each);
      throw error;
    });
  }
}

/** The trends and counts as a service would have it at the moment of the backup. */
function learning(vocabulary: Vocabulary): Learning {
  return async (copy) => {
    const state = new State({ vocabulary, ...(await foldOptions(copy)) });
    await fold(copy, state, 0, nextTurn);
    const learnt = learntChanges(state);
    return state.feed_days.is_unsaved ? [...learnt, feedDaysChange(state)] : learnt;
  };
}

function takeFolder(file: string): WorkFolder {
  const path = workFolderOf(file);
  let folder: WorkFolder | undefined;
  try {
    folder = WorkFolder.take(path, isDatabasePart);
  } catch (error) {
    throw failed(file, error);
  }
  if (folder !== undefined) return folder;
  throw failed(
    file,
    `another backup to this file is running, in '${path}'`,
    'wait until it ends, or name another file',
  );
}

async function orFailed(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') requireFree(file);
    throw error instanceof StartupError ? error : failed(file, error);
  }
}

function requireFree(file: string): void {
  let there: unknown;
  try {
    there = lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw failed(file, error);
  }
  if (there !== undefined) throw failed(file, 'the file exists', 'name a file that does not exist');
}

function failed(
  file: string,
  reason: unknown,
  remedy = reason instanceof StartupError ? reason.remedy : undefined,
): StartupError {
  return new StartupError(
    'backup_failed',
    `no backup could be written to '${file}': ${reasonOf(reason)}`,
    remedy,
  );
}
