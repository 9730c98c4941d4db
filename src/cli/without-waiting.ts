import { constants, fstatSync, openSync } from 'node:fs';
import { fromCLibrary } from '../platform/c-library.ts';

/** `fcntl` commands: read the flags of an open file, … */
const F_GETFL = 3;
/** … and set them. */
const F_SETFL = 4;

/**
 * Returns a descriptor of the same pipe, terminal or socket that does not block: a write fails with `EAGAIN` instead.
 *
 * Inherited descriptors block, and a blocked write stops the whole thread, including signal handlers. Regular files
 * never block, and reopening them would overwrite them from the start, so they are returned unchanged. So are closed
 * descriptors, and all descriptors on systems other than Linux.
 */
export function withoutWaiting(descriptor: number): number {
  if (process.platform !== 'linux' || !waitsForReaders(descriptor)) return descriptor;
  try {
    // The flag belongs to the open file, which may be shared: a terminal is shared with the shell and its processes.
    const path = `/proc/self/fd/${descriptor}`;
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Sockets cannot be reopened, nor files that another account opened (`sudo -u`, an entry point that was root).
    untilExit(descriptor, constants.O_NONBLOCK);
    return descriptor;
  }
}

function waitsForReaders(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isCharacterDevice() || found.isSocket();
  } catch {
    return false;
  }
}

/** Sets a flag for all users of the open file, and restores it when this process exits. */
function untilExit(descriptor: number, flag: number): void {
  const library = fromCLibrary({ fcntl: { args: ['i32', 'i32', 'i32'], returns: 'i32' } });
  if (library === undefined) return;
  const former = library.fcntl(descriptor, F_GETFL, 0);
  if (former < 0 || (former & flag) !== 0) return;
  library.fcntl(descriptor, F_SETFL, former | flag);
  process.on('exit', () => library.fcntl(descriptor, F_SETFL, former));
}
