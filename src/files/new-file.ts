import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Readable and writable for this account alone, whatever the umask. */
const PRIVATE_FILE_MODE = 0o600;

/**
 * Opens a file for writing that did not exist before, private to this account. An entry that has the name already, a
 * symbolic link for example, is removed and never written through.
 * @throws Error of the file system, `EEXIST` when another process creates the same name at the same time
 */
export function openNewFile(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, 'wx', PRIVATE_FILE_MODE);
}

/**
 * Replaces a file with another text, or creates it: readers see the old text or the new one.
 * @throws Error of the file system; the file is as it was then
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
