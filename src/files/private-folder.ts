import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
/** Set on folders that many accounts share, such as `/tmp`. */
const STICKY = 0o1000;

/**
 * Creates a folder that is closed to every other account, its parents included, or closes an existing one and the files
 * in it. Left as they are: what another account owns, folders inside, links, and a folder that all accounts share.
 * @throws Error of the file system when it cannot be created
 */
export function preparePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = statSync(path);
  if (!isOwn(folder) || (folder.mode & STICKY) !== 0) return;
  // The folder first: afterwards no other account can exchange an entry.
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

/** A file system without modes must not keep the data from being opened. */
function close(path: string, { mode }: Stats): void {
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch {}
}

/** None where it may not be read: opening the data says why. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
