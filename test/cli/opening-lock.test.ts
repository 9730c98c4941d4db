import { beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { type Ran, run, runBy } from './run.ts';

let data: string;
let database: string;
let lock: string;
beforeEach(async () => {
  data = temporaryFolder('opening-lock');
  database = join(data, 'feedloom.sqlite');
  lock = join(data, 'feedloom.opening.lock');
  expect((await run('keys', 'create', '--account', 'first', '--data', data)).code).toBe(0);
});

test('a lock that its owner could not open gets the mode of the database', async () => {
  chmodSync(lock, 0o400);
  const { code, stdout } = await run('keys', 'list', '--data', data);
  expect([code, stdout.includes('first')]).toEqual([0, true]);
  expect((statSync(lock).mode & 0o777).toString(8)).toBe('600');
});

test('a file with a second name keeps its mode if it is linked as a lock', async () => {
  const other = join(data, 'other');
  writeFileSync(other, '', { mode: 0o600 });
  rmSync(lock);
  linkSync(other, lock);
  chmodSync(database, 0o660);
  expect((await run('keys', 'list', '--data', data)).code).toBe(0);
  expect((statSync(other).mode & 0o777).toString(8)).toBe('600');
});

test.each(['feedloom.opening.lock', 'feedloom.lock'])(
  '%s in place of the lock is named in the error, not the database',
  async (name) => {
    const file = join(data, name);
    writeFileSync(file, 'something');
    const { code, stderr } = await run('serve', '--port', '0', '--data', data);
    expect(code).toBe(2);
    expect(stderr).toContain(`'${file}' is a lock and must be empty, but has content [lock_damaged]`);
    expect(stderr).toContain('remove that file when no process uses the folder');
    rmSync(file);
    expect((await run('keys', 'list', '--data', data)).stdout).toContain('first');
  },
);

const OWNER = 1_000;
const MEMBER = 1_001;
const GROUP = 2_000;
const SETPRIV = Bun.which('setpriv') ?? '';
/** Needs root, which can switch to another account. That account must be able to run and read this program. */
const CANNOT = process.getuid?.() !== 0 || SETPRIV === '' || !mayRun();

function as(account: number): string[] {
  return [SETPRIV, '--reuid', String(account), '--regid', String(GROUP), '--clear-groups'];
}

function mayRun(): boolean {
  const reading = `require('node:fs').readFileSync(${JSON.stringify(import.meta.path)})`;
  return Bun.spawnSync([...as(MEMBER), process.execPath, '-e', reading]).success;
}

function listed(by: readonly string[]): Promise<Ran> {
  return runBy(by, 'keys', 'list', '--data', data);
}

function listedAs(account: number): Promise<Ran> {
  return listed(as(account));
}

function listedWithoutChown(): Promise<Ran> {
  return listed([SETPRIV, '--bounding-set=-chown', '--inh-caps=-chown']);
}

describe.skipIf(CANNOT)(
  `other accounts${CANNOT ? ' (skipped: it takes root, setpriv, and a program that others may run)' : ''}`,
  () => {
    beforeEach(() => {
      for (const path of [data, database, lock]) chownSync(path, OWNER, GROUP);
      chmodSync(data, 0o2770);
      chmodSync(database, 0o660);
    });

    test('a member of the group can open the data until its owner opens it, which restricts it', async () => {
      chmodSync(lock, 0o660);
      const member = await listedAs(MEMBER);
      expect([member.code, member.stdout.includes('first')]).toEqual([0, true]);
      const owner = await listedAs(OWNER);
      expect([owner.code, owner.stdout.includes('first')]).toEqual([0, true]);
      expect((await listedAs(MEMBER)).code).toBe(2);
    });

    test('root can open the data even where it may not change owners', async () => {
      rmSync(lock);
      const { code, stdout } = await listedWithoutChown();
      expect([code, stdout.includes('first')]).toEqual([0, true]);
      expect((await listedAs(MEMBER)).code).toBe(0);
    });

    test('a lock that only other accounts can repair is named, with a remedy', async () => {
      chmodSync(lock, 0o640);
      const { code, stderr } = await listedAs(MEMBER);
      expect(code).toBe(2);
      expect(stderr).toContain(`'${lock}' cannot be written`);
      expect(stderr).toContain(`the group and the mode of '${database}'`);
      expect((await run('keys', 'list', '--data', data)).code).toBe(0);
      expect((await listedAs(MEMBER)).code).toBe(0);
    });
  },
);
