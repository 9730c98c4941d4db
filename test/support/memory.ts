import { chmodSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oncePerRun } from './once-per-run.ts';

/** Temporary folders of tests are in memory, since a service waits for the disk longer than it works to open and close. */

/** A file system in memory, where the machine has one of this size. */
const MEMORY = '/dev/shm';
const BYTES_MIN = 8 * 2 ** 30;

/** The machine's temporary folder, for what is large. */
export const ON_DISK = tmpdir();

function isLarge(folder: string): boolean {
  try {
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize >= BYTES_MIN;
  } catch {
    return false;
  }
}

/** Tests of other accounts and of programs need a folder in which everyone may write, and start programs. */
function opened(folder: string): string {
  chmodSync(folder, 0o1777);
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  return Bun.spawnSync([program]).success ? folder : ON_DISK;
}

/** Puts the temporary folders of this process into memory, unless the environment names another place. */
export function useMemory(): void {
  if (process.env.TMPDIR === undefined && isLarge(MEMORY))
    process.env.TMPDIR = oncePerRun('temporary', MEMORY, opened);
}
