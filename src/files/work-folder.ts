import type { Database } from 'bun:sqlite';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { reasonOf, StartupError } from '../errors.ts';
import { lockFile } from './file-lock.ts';

const LOCK = 'lock';
/** How often to try again after somebody who was just leaving. */
const TRIES_MAX = 10;
/** What disks without hard links say of them. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * A folder in which one process writes what is to be put in its place as a whole. It is locked and not merely there, so what a
 * process that was killed has left is in nobody's way.
 */
export class WorkFolder {
  private constructor(
    readonly path: string,
    private readonly lock: Database,
  ) {}

  /**
   * Takes it, and makes it if need be; there may still be files that another process left.
   * @returns undefined when it is another's @throws Error of the file system
   */
  static take(path: string): WorkFolder | undefined {
    for (let tries = 1; ; tries++) {
      try {
        mkdirSync(path, { recursive: true });
        const { is_lost, lock } = takeLock(join(path, LOCK));
        if (!is_lost) return lock && new WorkFolder(path, lock);
        lock?.close();
      } catch (error) {
        if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || tries === TRIES_MAX) throw error;
      }
    }
  }

  /** Removes what is in it. @throws Error of the file system */
  clear(): void {
    for (const name of readdirSync(this.path)) {
      if (name !== LOCK) rmSync(join(this.path, name), { recursive: true, force: true });
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

  /** It goes with all that is in it, or stays for the next to take; nothing else depends on it any more. */
  remove(): void {
    try {
      this.clear();
      rmSync(join(this.path, LOCK));
      rmdirSync(this.path);
    } catch {
      // Where somebody has taken it since, it is theirs.
    }
    this.lock.close();
  }
}

/** `is_lost`: whoever had it before has removed the file that was locked. */
function takeLock(file: string): { is_lost: boolean; lock: Database | undefined } {
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
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
