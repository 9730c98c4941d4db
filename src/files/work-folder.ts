import type { Database } from 'bun:sqlite';
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf, StartupError } from '../errors.ts';
import { createLock, lockFile } from './file-lock.ts';

const LOCK = 'lock';
/** How often to try again when another process is just removing the folder. */
const TRIES_MAX = 10;
/** Rights with which another account could exchange what is in a folder. */
const OTHERS_WRITE = 0o022;
/** What disks without hard links say of them. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Whether this program writes files of such a name into a work folder. */
export type IsPart = (name: string) => boolean;

/**
 * A folder in which one process writes what is to be put in its place as a whole. It is locked and not merely there, so the
 * folder that a killed process left does not block the next one.
 */
export class WorkFolder {
  private constructor(
    readonly path: string,
    private readonly lock: Database,
  ) {}

  /**
   * Takes the folder, creates it if need be, and empties it. An existing one is taken only when it can be nothing but what a
   * killed process left: a folder of this account, no link, that holds a lock and otherwise only files called as parts are.
   * @returns undefined when another process uses it
   * @throws StartupError `folder_not_ours`; Error of the file system
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

  /** Removes the files in it, and nothing below it. @throws Error of the file system */
  clear(): void {
    for (const name of readdirSync(this.path)) {
      if (name !== LOCK) rmSync(join(this.path, name), { force: true });
    }
  }

  /** Puts a file of it in a place where nothing is. @throws Error of the file system, `EEXIST` when something is */
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

  /** Removes it with all that is in it; whatever cannot be removed stays for the next process to take. */
  remove(): void {
    try {
      this.clear();
      rmSync(join(this.path, LOCK));
      rmdirSync(this.path);
    } catch {
      // Another process has taken it since.
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

/** @throws StartupError `folder_not_ours`; Error of the file system */
function requireOwn(path: string, isPart: IsPart): void {
  const reason = foreignness(path, isPart);
  if (reason === undefined) return;
  throw new StartupError(
    'folder_not_ours',
    `'${path}' ${reason}, so this program did not make it and leaves it alone`,
    'Remove or rename it, or choose another place.',
  );
}

/** What says that a folder may hold something else; undefined where nothing does. */
function foreignness(path: string, isPart: IsPart): string | undefined {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return 'is a symbolic link';
  if (!found.isDirectory()) return 'is no folder';
  if (found.uid !== process.geteuid?.()) return 'belongs to another account';
  if ((found.mode & OTHERS_WRITE) !== 0) return 'can be written by other accounts';
  const entries = readdirSync(path, { withFileTypes: true });
  const foreign = entries.find((entry) => !entry.isFile() || !(entry.name === LOCK || isPart(entry.name)));
  if (foreign !== undefined) return `holds '${foreign.name}'`;
  // An empty one may be another process's that is about to lock it, or has just let it go.
  return entries.length === 0 || entries.some(({ name }) => name === LOCK) ? undefined : 'has no lock in it';
}

/** `is_lost`: the process that had it before has removed the file that was locked. */
function takeLock(file: string): { is_lost: boolean; lock: Database | undefined } {
  createLock(file);
  const before = inodeOf(file);
  const lock = locked(file);
  return { is_lost: lock !== undefined && (before === undefined || before !== inodeOf(file)), lock };
}

/** @throws StartupError as of `lockFile`, Error as of the file system */
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
  return Object.assign(new Error(`EEXIST: '${file}' is there already`), { code: 'EEXIST' });
}
