import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { environment, feedloom, REPOSITORY } from '../support/feedloom.ts';
import { freshDatabase } from '../support/postgres.ts';
import { ended, type Ran } from './run.ts';

/** Commands of the documents and presets, with the data of `import-examples`. */

export const EXAMPLES = join(REPOSITORY, 'test', 'cli', 'import-examples');

/** A database of PostgreSQL with the tables and rows of an example. @returns its URL */
export async function databaseOf(example: string): Promise<string> {
  const url = await freshDatabase();
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe(readFileSync(join(EXAMPLES, example), 'utf8'));
  return url;
}

/**
 * Runs shell commands, with stand-ins for programs that the machine may not have.
 * @param databases URLs for psql, SQL for mysql and objects for mongosh, by the names of the databases
 */
export function shell(script: string, cwd: string, databases: Record<string, string> = {}): Promise<Ran> {
  const programs = join(cwd, 'programs');
  mkdirSync(programs, { recursive: true });
  for (const name of ['psql', 'mysql', 'mongosh']) {
    const program = join(REPOSITORY, 'test', 'support', `${name}.ts`);
    writeFileSync(join(programs, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const { PATH, ...others } = environment({ TEST_DATABASES: JSON.stringify(databases) });
  const env = { ...others, PATH: `${programs}:${dirname(feedloom())}:${PATH}` };
  return ended(Bun.spawn(['sh', '-ec', script], { cwd, env, stdout: 'pipe', stderr: 'pipe' }));
}
