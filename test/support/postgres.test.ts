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

/** Files like those of a package, with scripts in place of PostgreSQL's programs. */
function packageOf(script: string, mode = 0o755): string {
  const folder = closedFolder();
  mkdirSync(join(folder, 'bin'));
  for (const name of PROGRAMS) writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}`, { mode });
  return folder;
}

/** A run with the account that the server of the tests has, in a folder of that account. */
async function freshRun(): Promise<Run> {
  const account = await serverAccount();
  const cwd = join(tmpdir(), `feedloom-run-${crypto.randomUUID()}`);
  mkdirSync(cwd);
  giveTo(account, cwd);
  folders.push(cwd);
  return { account, cwd };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const [{ status, reason }] = (await Promise.allSettled([work])) as PromiseRejectedResult[];
  expect(status).toBe('rejected');
  return reason.message;
}

describe('PostgreSQL for tests', () => {
  test('runs from a checkout that the account of the server cannot enter', async () => {
    const run = await freshRun();
    const programs = await runnablePrograms(run, packageOf('echo 18'), []);
    // Only root runs the server as another account, which needs a copy.
    expect(programs.startsWith(run.cwd)).toBe(run.account !== undefined);
    for (const name of PROGRAMS) expect(existsSync(join(programs, name))).toBe(true);
  });

  test("is the machine's when the package has none that runs", async () => {
    const run = await freshRun();
    const installed = await freshRun();
    for (const name of PROGRAMS) {
      writeFileSync(join(installed.cwd, name), '#!/bin/sh\necho 15', { mode: 0o755 });
    }
    const absent = join(closedFolder(), 'absent');
    expect(await runnablePrograms(run, absent, [installed.cwd])).toBe(installed.cwd);
    expect(await runnablePrograms(run, packageOf('exit 127'), [installed.cwd])).toBe(installed.cwd);
  });

  test('is refused with every program that cannot be run, and why', async () => {
    const run = await freshRun();
    const packaged = packageOf('echo 18', 0o644);
    const broken = join(packageOf('echo libssl.so is missing >&2; exit 127'), 'bin');
    chmodSync(join(broken, '..'), 0o755);
    const message = await failureOf(runnablePrograms(run, packaged, [broken]));
    expect(message).toContain(`${join(packaged, 'bin', 'postgres')} failed (EACCES)`);
    expect(message).toContain(`${join(broken, 'postgres')} failed (127)\nlibssl.so is missing`);
  });

  test('is refused with what initdb says when that fails', async () => {
    const run = await freshRun();
    const programs = await runnablePrograms(
      run,
      packageOf('[ $1 = --version ] || { echo no room; exit 9; }'),
    );
    expect(await failureOf(startServer(run, programs))).toMatch(/initdb failed \(9\)\nno room/);
  });

  test('is started once, and its failure is told in full once and in one line afterwards', async () => {
    let starts = 0;
    const databases = new Databases(async () => {
      starts++;
      throw new Error('it is broken\nfor this reason');
    });
    expect(await failureOf(databases.fresh())).toBe(
      'PostgreSQL for tests did not start: it is broken\nfor this reason',
    );
    for (let call = 0; call < 2; call++) {
      expect(await failureOf(databases.fresh())).toBe(
        'PostgreSQL for tests did not start: it is broken (the first failure says more)',
      );
    }
    expect(starts).toBe(1);
  });
});
