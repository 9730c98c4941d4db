import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small separate file system in memory. */
export interface Mounted {
  folder: string;
  /** False: nothing can be written from now on; true: everything can. */
  setWritable(writable: boolean): void;
  unmount(): void;
}

function run(...command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0;
  } catch {
    return false;
  }
}

/** Mounts a tmpfs of this many KiB. Undefined if that is not allowed (it needs root on Linux). */
export function mountSmall(size_kib: number): Mounted | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-mounted-'));
  mkdirSync(folder, { recursive: true });
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size_kib}k`, 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    setWritable: (writable) => {
      if (!run('mount', '-o', `remount,${writable ? 'rw' : 'ro'}`, folder)) throw new Error('cannot remount');
    },
    unmount: () => {
      if (!run('umount', folder)) run('umount', '-l', folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a file system can be mounted here. */
export function canMount(): boolean {
  const mounted = mountSmall(64);
  mounted?.unmount();
  return mounted !== undefined;
}
