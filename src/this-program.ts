import { join } from 'node:path';

/** The command that starts this program again: the executable, or Bun with the entry file. */
export function thisProgram(): string[] {
  const bundled = /\$bunfs|~BUN/.test(import.meta.path);
  return bundled ? [process.execPath] : [process.execPath, join(import.meta.dir, 'main.ts')];
}

/**
 * The URL of a thread's entry point, given its file below `src/` without the extension.
 *
 * From sources the file is beside this one. In the executable every module has the executable's URL, and entry points
 * have their path below `src/`.
 */
export function threadUrl(file: string): URL {
  return new URL(`./${file}.ts`, import.meta.url);
}
