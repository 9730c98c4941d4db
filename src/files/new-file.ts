import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Readable and writable only for this account. Independent of the umask. */
const PRIVATE_FILE_MODE = 0o600;

/**
 * Opens a new file for writing, private to this account.
 *
 * An existing entry of that name, such as a symbolic link, is removed first and never written through.
 * @throws file system errors; `EEXIST` if another process creates the same name at the same time
 */
export function openNewFile(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, 'wx', PRIVATE_FILE_MODE);
}

/**
 * Replaces a file atomically, or creates it. Readers see either the old text or the new text.
 * @throws file system errors; the file is then unchanged
 */
export function replaceFile(path: string, text: string): void {
  const part = `${path}.part`;
  const descriptor = openNewFile(part);
  try {
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/**
 * Flushes a file or a folder to disk. A folder holds the names of its files, so a new name survives a loss of power.
 * @throws file system errors
 */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
