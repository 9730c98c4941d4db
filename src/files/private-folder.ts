import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
/** The mode bit of folders that many accounts share, such as `/tmp`. */
const STICKY = 0o1000;

/**
 * Creates a folder and its parents without access for other accounts, or removes that access from an existing folder.
 *
 * In an existing folder, access to its files is removed as well. Unchanged are: entries of other accounts,
 * subfolders, links, and folders that all accounts share.
 * @throws file system errors if the folder cannot be created
 */
export function preparePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = statSync(path);
  if (!isOwn(folder) || (folder.mode & STICKY) !== 0) return;
  // The folder comes first: after that, no other account can exchange its entries.
  close(path, folder);
  for (const name of namesIn(path)) {
    const file = join(path, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isFile() && found.nlink === 1 && isOwn(found)) close(file, found);
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}

/** Ignores errors, since a file system without modes must not prevent a start. */
function close(path: string, { mode }: Stats): void {
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch {}
}

/** Returns no names if the folder cannot be read. Opening the data then reports the reason. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
