import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Seconds } from '../clock.ts';
import { fileRefusal } from '../errors.ts';
import { WorkFolder } from '../files/work-folder.ts';
import { isDatabasePart } from '../store/sqlite/connection.ts';
import { dataIdentity } from '../store/sqlite/data-identity.ts';
import { walletsFileOf } from './restore.ts';

/** The folder of `feedloom backup FOLDER --keep COUNT`: names of backups, and the removal of old ones. */

const NAME = /^feedloom-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.sqlite$/;

const UNDER_WAY = '.under-way';

/** The folder in which a backup is written. */
export function workFolderOf(file: string): string {
  return file + UNDER_WAY;
}

/** The file for a backup of this moment. Names sort by time. */
export function backupIn(folder: string, now: Seconds): string {
  const time = new Date(now * 1000).toISOString().replaceAll(/[:.]/g, '-');
  return join(folder, `feedloom-${time}.sqlite`);
}

/**
 * Removes what killed backups have left. Names of backups differ, so later ones do not use the same work folder.
 * @throws StartupError `backup_failed` if the folder cannot be read
 */
export function removeLeftOvers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of namesIn(folder)) {
    if (!name.endsWith(UNDER_WAY) || !NAME.test(name.slice(0, -UNDER_WAY.length))) continue;
    try {
      WorkFolder.take(join(folder, name), isDatabasePart)?.remove();
    } catch {
      // A folder of something else stays.
    }
  }
}

/**
 * Removes all but the newest `keep` backups of this service. Files with other names and backups of other data are
 * neither counted nor removed.
 * @param newest a complete backup, which stays even if the clock was set back
 * @returns the removed files
 * @throws StartupError `backup_not_removed`
 */
export function removeOldBackups(newest: string, keep: number): string[] {
  const folder = dirname(newest);
  const identity = dataIdentity(newest);
  const others = namesIn(folder)
    .filter((name) => NAME.test(name) && name !== basename(newest))
    .sort()
    .reverse()
    .map((name) => join(folder, name))
    .filter(
      (file) => lstatSync(file, { throwIfNoEntry: false })?.isFile() && dataIdentity(file) === identity,
    );
  // Without its first file the rest is no backup, so that one goes last.
  const old = others.slice(keep - 1).flatMap((file) => [...walletsBackupOf(file), file]);
  for (const file of old) {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      throw fileRefusal('backup_not_removed', `the old backup '${file}' cannot be removed`, error);
    }
  }
  return old;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw fileRefusal('backup_failed', `the folder '${folder}' cannot be read`, error);
  }
}

function walletsBackupOf(file: string): string[] {
  const wallets_file = walletsFileOf(file);
  return existsSync(wallets_file) && dataIdentity(wallets_file) !== undefined ? [wallets_file] : [];
}
