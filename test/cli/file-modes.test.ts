import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import { type Ran, run, runBy, startBy } from './run.ts';

/** The usual umask: other accounts may read files by default. */
const USUAL_UMASK = ['sh', '-c', 'umask 022; exec "$@"', 'sh'];
const FILES = { 'users.jsonl': '{"user_id":"a"}\n' };

function usual(...args: string[]): Promise<Ran> {
  return runBy(USUAL_UMASK, ...args);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

/** The modes of folders and of the files in them. */
function modesIn(...folders: string[]): Record<string, string> {
  const paths = folders.flatMap((folder) => [
    folder,
    ...readdirSync(folder).map((name) => join(folder, name)),
  ]);
  return Object.fromEntries(paths.map((path) => [path, modeOf(path)]));
}

function expectClosed(...folders: string[]): void {
  const modes = modesIn(...folders);
  const wanted = Object.keys(modes).map((path) => [path, folders.includes(path) ? '700' : '600']);
  expect(modes).toEqual(Object.fromEntries(wanted));
}

/** Runs the service on a data folder until `look` is done. */
async function whileServing(data: string, look: () => void): Promise<void> {
  const child = startBy(USUAL_UMASK, 'serve', '--port', '0', '--data', data);
  try {
    for await (const bytes of child.stdout) if (Buffer.from(bytes).includes('listening on')) break;
    look();
  } finally {
    child.kill();
    expect(await child.exited).toBe(0);
  }
}

describe('with a umask that lets other accounts read', () => {
  test('data, exports and backups are not accessible to the group and to others', async () => {
    const folder = folderWith(FILES);
    const [data, exported, kept] = ['data', 'exported', 'kept'].map((name) => join(folder, name));
    expect((await usual('import', folder, '--data', data)).code).toBe(0);
    expect((await usual('export', exported, '--data', data)).code).toBe(0);
    expect((await usual('backup', join(kept, 'feedloom.sqlite'), '--data', data)).code).toBe(0);
    expect(readdirSync(data)).toContain('feedloom.sqlite');
    expect(readdirSync(exported)).toContain('users.jsonl');
    expect(readdirSync(kept)).toContain('feedloom.sqlite');
    expectClosed(data, exported, kept);
  });

  test('an export into an existing folder restricts its files and leaves the folder unchanged', async () => {
    const folder = folderWith(FILES);
    const [data, exported] = [join(folder, 'data'), join(folder, 'exported')];
    mkdirSync(exported);
    chmodSync(exported, 0o755);
    expect((await usual('import', folder, '--data', data)).code).toBe(0);
    expect((await usual('export', exported, '--gzip', '--data', data)).code).toBe(0);
    expect(modesIn(exported)).toEqual({ [exported]: '755', [join(exported, 'users.jsonl.gz')]: '600' });
  });

  test('a running service keeps its logs and locks restricted', async () => {
    const data = folderWith({});
    await whileServing(data, () => {
      expect(readdirSync(data)).toEqual(expect.arrayContaining(['feedloom.sqlite-wal', 'feedloom.lock']));
      expectClosed(data);
    });
  });
});

describe('a data folder that others may read', () => {
  test('a data folder that others may read is restricted, with its files, when its owner opens it', async () => {
    const data = folderWith({});
    expect((await run('keys', 'create', '--account', 'a', '--data', data)).code).toBe(0);
    writeFileSync(join(data, 'content-former.checkpoint'), '');
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
    chmodSync(data, 0o755);
    expect((await run('keys', 'list', '--data', data)).code).toBe(0);
    expectClosed(data);
  });

  test('a data folder keeps its mode if all accounts share it, and links in it are not followed', async () => {
    const folder = folderWith({});
    const [shared, own, target] = ['shared', 'own', 'target'].map((name) => join(folder, name));
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    expect((await run('keys', 'create', '--account', 'a', '--data', shared)).code).toBe(0);
    expect(modeOf(shared)).toBe('1777');
    expect(modeOf(join(shared, 'feedloom.sqlite'))).toBe('600');
    mkdirSync(own);
    writeFileSync(target, '');
    chmodSync(target, 0o644);
    symlinkSync(target, join(own, 'notes'));
    expect((await run('keys', 'create', '--account', 'a', '--data', own)).code).toBe(0);
    expect([modeOf(own), modeOf(target)]).toEqual(['700', '644']);
  });
});
