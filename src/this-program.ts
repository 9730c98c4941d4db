import { join } from 'node:path';

/** What starts this program again: the executable alone, or Bun with the entry file. */
export function thisProgram(): string[] {
  const bundled = /\$bunfs|~BUN/.test(import.meta.path);
  return bundled ? [process.execPath] : [process.execPath, join(import.meta.dir, 'main.ts')];
}
