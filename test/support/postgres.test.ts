import { afterEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTo, type Run, serverAccount } from './postgres/account.ts';
import { runnablePrograms } from './postgres/programs.ts';
import { startServer } from './postgres/server.ts';
import { Databases } from './postgres.ts';

const PROGRAMS = ['postgres', 'initdb', 'pg_ctl'];
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that only this account can enter, with a blank in its path. */
function closedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom closed-'));
  folders.push(folder);
  return folder;
}

/** Files like those of the package, with scripts in place of PostgreSQL's programs. */
function packageOf(script: string, mode = 0o755): string {
  const folder = closedFolder();
  mkdirSync(join(folder, 'bin'));
  for (const name of PROGRAMS) writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}`, { mode });
  return folder;
}

/** The account of the tests' server, with a folder of that account. */
function freshRun(): Run {
  const account = serverAccount();
  const cwd = join(tmpdir(), `feedloom-run-${crypto.randomUUID()}`);
  mkdirSync(cwd);
  giveTo(account, cwd);
  folders.push(cwd);
  return { account, cwd };
}

describe('PostgreSQL for tests', () => {
  test("PostgreSQL for tests runs from a checkout that the server's account cannot enter", () => {
    const run = freshRun();
    const programs = runnablePrograms(run, packageOf('echo 18'), []);
    // Only root runs the server with another account, which then needs a copy.
    expect(programs.startsWith(run.cwd)).toBe(run.account !== undefined);
    for (const name of PROGRAMS) expect(existsSync(join(programs, name))).toBe(true);
  });

  test("PostgreSQL for tests uses the machine's programs if the package has none that run", () => {
    const run = freshRun();
    const installed = freshRun();
    for (const name of PROGRAMS) {
      writeFileSync(join(installed.cwd, name), '#!/bin/sh\necho 15', { mode: 0o755 });
    }
    const absent = join(closedFolder(), 'absent');
    expect(runnablePrograms(run, absent, [installed.cwd])).toBe(installed.cwd);
    expect(runnablePrograms(run, packageOf('exit 127'), [installed.cwd])).toBe(installed.cwd);
  });

  test('PostgreSQL for tests names every program that cannot be run, and why', () => {
    const run = freshRun();
    const packaged = packageOf('echo 18', 0o644);
    const broken = join(packageOf('echo libssl.so is missing >&2; exit 127'), 'bin');
    chmodSync(join(broken, '..'), 0o755);
    const refused = expect(() => runnablePrograms(run, packaged, [broken]));
    refused.toThrow(`${join(packaged, 'bin', 'postgres')} failed: EACCES`);
    refused.toThrow(`${join(broken, 'postgres')} failed: it ended with 127\nlibssl.so is missing`);
  });

  test('PostgreSQL for tests reports the output of a failing initdb', () => {
    const run = freshRun();
    const programs = runnablePrograms(run, packageOf('[ $1 = --version ] || { echo no room; exit 9; }'));
    expect(() => startServer(run, programs)).toThrow('initdb failed: it ended with 9\nno room');
  });

  test('PostgreSQL for tests starts once, and reports a failed start in full once and in one line afterwards', async () => {
    let starts = 0;
    const databases = new Databases(() => {
      starts++;
      throw new Error('it is broken\nfor this reason');
    });
    const failures: string[] = [];
    for (let call = 0; call < 3; call++)
      await databases.fresh().catch(({ message }) => failures.push(message));
    const in_one_line = 'PostgreSQL for tests did not start: it is broken (the first failure says more)';
    expect(failures).toEqual([
      'PostgreSQL for tests did not start: it is broken\nfor this reason',
      in_one_line,
      in_one_line,
    ]);
    expect(starts).toBe(1);
  });
});
