import { join } from 'node:path';

/** What starts this program again: the executable alone, or Bun with the entry file. */
export function thisProgram(): string[] {
  const bundled = /\$bunfs|~BUN/.test(import.meta.path);
  return bundled ? [process.execPath] : [process.execPath, join(import.meta.dir, 'main.ts')];
}

/**
 * Where a thread starts, by its file below `src/`, without the ending. From sources it is beside this one; in the executable
 * every module has the executable's own URL, and each further entry point lies where it lies below `src/`.
 */
export function threadUrl(file: string): URL {
  return new URL(`./${file}.ts`, import.meta.url);
}
