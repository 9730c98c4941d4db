import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { ON_DISK } from './memory.ts';
import { oncePerRun } from './once-per-run.ts';

export const REPOSITORY = join(import.meta.dir, '..', '..');

let executable: string | undefined;

/**
 * Path of the executable, built from the current sources. Tests run the product that is shipped, which also starts in a
 * fifth of the time. Any account may run it, wherever the checkout is.
 */
export function feedloom(): string {
  executable ??= oncePerRun('executable', ON_DISK, build);
  return executable;
}

function builtNow(): string {
  const { success, stderr } = Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: REPOSITORY });
  if (!success) throw new Error(`the executable cannot be built:\n${stderr}`);
  return join(REPOSITORY, 'dist', 'feedloom');
}

/** Copies the executable that `EXECUTABLE_UNDER_TEST` names, or builds it. */
function build(folder: string): string {
  const path = join(folder, 'feedloom');
  cpSync(process.env.EXECUTABLE_UNDER_TEST ?? builtNow(), path);
  chmodSync(folder, 0o755);
  chmodSync(path, 0o755);
  return path;
}

/** Environment of a command with only these settings. */
export function environment(settings: Record<string, string> = {}): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...settings };
}
