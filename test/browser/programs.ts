import { expect } from 'bun:test';
import { join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { KEY } from './support.ts';

/** Programs that pages show, run as people run them. */

const CLIENT = join(REPOSITORY, 'openapi/client/src/index.ts');

/** How a program is run, and the tool that it needs. */
const RUNS = [
  { language: 'curl', file: 'program.sh', command: ['sh'], tool: 'curl' },
  { language: 'TypeScript', file: 'program.ts', command: [process.execPath], tool: 'sh' },
  { language: 'Python', file: 'program.py', command: ['python3'], tool: 'python3' },
] as const;

/** The languages of the programs, with why one cannot be run here. */
export const LANGUAGES = RUNS.map(({ language, tool }) => {
  const is_missing = Bun.which(tool) === null;
  return { language, is_missing, why: is_missing ? ` (skipped: there is no ${tool})` : '' };
});

export type Language = (typeof RUNS)[number]['language'];

/** Runs a program with the key of the service. @returns what it printed */
export async function run(language: Language, program: string): Promise<string> {
  const { file, command } = RUNS.find((one) => one.language === language) ?? RUNS[0];
  return withFolder({ [file]: program.replace('feedloom-client', CLIENT) }, async (folder) => {
    const env = environment({ FEEDLOOM_KEY: KEY });
    const child = Bun.spawn([...command, file], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' });
    const [printed, failed] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ failed, code: await child.exited }).toEqual({ failed: '', code: 0 });
    return printed;
  });
}
