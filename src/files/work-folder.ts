import type { Database } from 'bun:sqlite';
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf, StartupError } from '../errors.ts';
import { createLock, lockFile } from './file-lock.ts';

const LOCK = 'lock';
/** Maximum number of attempts while another process removes the folder. */
const TRIES_MAX = 10;
/** Permissions that let other accounts exchange files in a folder. */
const OTHERS_WRITE = 0o022;
/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Whether this program writes files of that name into a work folder. */
export type IsPart = (name: string) => boolean;

/**
 * A folder in which one process writes files that are then moved to their place as a whole.
 *
 * The folder is locked. Its existence alone does not block other processes, so a killed process leaves nothing to
 * clean up.
 */
export class WorkFolder {
  private constructor(
    readonly path: string,
    private readonly lock: Database,
  ) {}

  /**
   * Locks the folder, creates it if needed, and removes its files.
   *
   * An existing folder is only used if a killed process must have left it: it belongs to this account, is not a link,
   * and contains a lock and otherwise only files with names of parts.
   * @returns undefined if another process uses the folder
   * @throws StartupError `folder_not_ours`; file system errors
   */
  static take(path: string, isPart: IsPart): WorkFolder | undefined {
    for (let tries = 1; ; tries++) {
      try {
        createIfAbsent(path);
        requireOwn(path, isPart);
        const { is_lost, lock } = takeLock(join(path, LOCK));
        if (lock === undefined) return undefined;
        if (!is_lost) return emptied(new WorkFolder(path, lock));
        lock.close();
      } catch (error) {
        if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || tries === TRIES_MAX) throw error;
      }
    }
  }

  /** Removes the files in the folder, but not its subfolders. @throws file system errors */
  clear(): void {
    for (const name of readdirSync(this.path)) {
      if (name !== LOCK) rmSync(join(this.path, name), { force: true });
    }
  }

  /** Moves a file of the folder to a free place. @throws file system errors; `EEXIST` if the place is taken */
  place(name: string, file: string): void {
    const part = join(this.path, name);
    try {
      linkSync(part, file);
    } catch (error) {
      if (!NO_LINKS.includes(String((error as { code?: unknown }).code))) throw error;
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw alreadyThere(file);
      renameSync(part, file);
      return;
    }
    rmSync(part);
  }

  /** Removes the folder with its content. What cannot be removed stays for the next process. */
  remove(): void {
    try {
      this.clear();
      rmSync(join(this.path, LOCK));
      rmdirSync(this.path);
    } catch {
      // Another process has locked the folder since.
    }
    this.lock.close();
  }
}

function emptied(folder: WorkFolder): WorkFolder {
  try {
    folder.clear();
    return folder;
  } catch (error) {
    folder.remove();
    throw error;
  }
}

function createIfAbsent(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}

function requireOwn(path: string, isPart: IsPart): void {
  const reason = foreignness(path, isPart);
  if (reason === undefined) return;
  throw new StartupError(
    'folder_not_ours',
    `'${path}' ${reason}, so this program did not create it and does not use it`,
    'Remove or rename it, or choose another place.',
  );
}

/** Explains why a folder may contain other data. Undefined if it cannot. */
function foreignness(path: string, isPart: IsPart): string | undefined {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return 'is a symbolic link';
  if (!found.isDirectory()) return 'is not a folder';
  if (found.uid !== process.geteuid?.()) return 'belongs to another account';
  if ((found.mode & OTHERS_WRITE) !== 0) return 'can be written by other accounts';
  const entries = readdirSync(path, { withFileTypes: true });
  const foreign = entries.find((entry) => !entry.isFile() || !(entry.name === LOCK || isPart(entry.name)));
  if (foreign !== undefined) return `holds '${foreign.name}'`;
  // Another process may have just created an empty folder, or may be removing it.
  return entries.length === 0 || entries.some(({ name }) => name === LOCK) ? undefined : 'has no lock in it';
}

/** `is_lost`: the previous process has removed the locked file. */
function takeLock(file: string): { is_lost: boolean; lock: Database | undefined } {
  createLock(file);
  const before = inodeOf(file);
  const lock = locked(file);
  return { is_lost: lock !== undefined && (before === undefined || before !== inodeOf(file)), lock };
}

function locked(file: string): Database | undefined {
  try {
    return lockFile(file, 0);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code = 'EIO' } = error as { code?: unknown };
    throw Object.assign(new Error(`${reasonOf(error)}, lock '${file}'`), { code, syscall: 'lock' });
  }
}

function inodeOf(file: string): bigint | undefined {
  return lstatSync(file, { throwIfNoEntry: false, bigint: true })?.ino;
}

function alreadyThere(file: string): Error {
  return Object.assign(new Error(`EEXIST: '${file}' already exists`), { code: 'EEXIST' });
}
