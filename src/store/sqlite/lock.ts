import type { Database } from 'bun:sqlite';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';
import { lockFile } from '../../files/file-lock.ts';
import { replaceFile } from '../../files/new-file.ts';
import type { Holder, Lock } from '../connection.ts';
import { inUse } from '../holder.ts';
import { openingError } from './connection.ts';

/** The lock is a file of its own. The holder's name is in another beside it, for messages only. */

function holderFile(data: string): string {
  return join(data, 'feedloom.lock.json');
}

function readHolder(data: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(holderFile(data), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * The name is for messages only: that it cannot be written or removed must not keep anybody from starting or
 * closing. Where it cannot be written, nobody is named rather than the one before.
 */
function writeHolder(data: string, holder: Holder): void {
  const file = holderFile(data);
  try {
    replaceFile(file, JSON.stringify(holder));
  } catch {
    remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}

/**
 * Takes the exclusive lock of a data folder; the folder must exist.
 * @throws StartupError `data_in_use` naming the holder, `disk_full`, `data_unwritable`, `data_unreadable`, `lock_damaged`
 */
export function lockFolder(data: string, holder: Holder): Lock {
  const held = openedLock(data);
  if (held === undefined) throw inUse(`the data folder '${data}'`, readHolder(data));
  writeHolder(data, holder);
  return {
    // Done already: the name of a holder who was killed must not outlive him.
    announce: async () => {},
    // The operating system takes it from nobody.
    watch() {},
    release: async () => {
      remove(holderFile(data));
      held.close();
    },
  };
}

function openedLock(data: string): Database | undefined {
  try {
    return lockFile(join(data, 'feedloom.lock'), 0);
  } catch (error) {
    throw error instanceof StartupError ? error : openingError(data, error);
  }
}
