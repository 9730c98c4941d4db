import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, readFiles, withFolder, writeFiles } from '../interchange/support.ts';
import { type Ran, run } from './run.ts';

/** Imports files. @returns the output, and an export of the data */
export async function imported(
  files: Files,
  args: readonly string[],
  work: (ran: Ran, exported: Record<string, string>) => void,
): Promise<void> {
  await withFolder({}, async (both) => {
    const [folder, data, out] = ['files', 'data', 'out'].map((name) => join(both, name));
    writeFiles(folder, files);
    const ran = await run('import', folder, '--data', data, ...args);
    await run('export', out, '--data', data);
    work(ran, existsSync(out) ? readFiles(out) : {});
  });
}

/** The values of JSON lines. */
export const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
