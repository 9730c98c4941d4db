import { constants, fstatSync, openSync } from 'node:fs';
import { fromCLibrary } from '../c-library.ts';

/** What `fcntl` is asked for: the flags of an open file, … */
const F_GETFL = 3;
/** … and others instead. */
const F_SETFL = 4;

/**
 * A descriptor of the same pipe, terminal or socket on which a write that would wait for the reader fails with `EAGAIN`
 * instead. What a process is started with waits, and while it does nothing of its thread runs, no signal's handler either.
 * Files wait for nobody and stay as they are, since opened anew they would be written from their start on; so do
 * descriptors that are not open, and all of them elsewhere than on Linux.
 */
export function withoutWaiting(descriptor: number): number {
  if (process.platform !== 'linux' || !waitsForReaders(descriptor)) return descriptor;
  try {
    // The flag belongs to what was opened, and that may be shared: a terminal with the shell and all that it starts.
    const path = `/proc/self/fd/${descriptor}`;
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // A socket cannot be opened, nor what another account made (`sudo -u`, an entry point that was root).
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

/** Sets a flag for everybody who shares the open file, and takes it back when this process exits. */
function untilExit(descriptor: number, flag: number): void {
  const library = fromCLibrary({ fcntl: { args: ['i32', 'i32', 'i32'], returns: 'i32' } });
  if (library === undefined) return;
  const former = library.fcntl(descriptor, F_GETFL, 0);
  if (former < 0 || (former & flag) !== 0) return;
  library.fcntl(descriptor, F_SETFL, former | flag);
  process.on('exit', () => library.fcntl(descriptor, F_SETFL, former));
}
