import { beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { run } from './run.ts';

/** Files that another account, or chance, puts in place of the work folder of a backup or export. */

let place: string;
const root = temporaryFolder('foreign');
const data = join(root, 'data');
const files = join(root, 'files');
mkdirSync(files);
writeFileSync(join(files, 'users.jsonl'), '{"user_id":"a"}\n');
expect((await run('import', files, '--data', data)).code).toBe(0);

beforeEach(() => {
  place = mkdtempSync(join(root, 'place-'));
});

interface Command {
  name: string;
  args: () => string[];
  work: () => string;
  /** A file that the command itself writes there. */
  part: string;
}

const COMMANDS: Command[] = [
  {
    name: 'backup',
    args: () => ['backup', join(place, 'kept.sqlite')],
    work: () => join(place, 'kept.sqlite.under-way'),
    part: 'feedloom.sqlite',
  },
  {
    name: 'export',
    args: () => ['export', place],
    work: () => join(place, 'export.under-way'),
    part: 'users.jsonl.partial',
  },
];

/** A folder with the given files. */
function folderWith(path: string, ...names: string[]): string {
  mkdirSync(path, { mode: 0o700 });
  for (const name of names) writeFileSync(join(path, name), name === 'lock' ? '' : 'precious');
  return path;
}

describe.each(COMMANDS)('$name', ({ args, work, part }) => {
  async function expectRefused(reason: string): Promise<void> {
    const { code, stdout, stderr } = await run(...args(), '--data', data);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`'${work()}' ${reason}`),
    });
    expect(stderr).toContain('Remove or rename it');
  }

  test('a symbolic link in place of the work folder is refused, and its target unchanged', async () => {
    const names = ['lock', part, 'notes.txt'];
    const behind = folderWith(join(place, 'behind'), ...names);
    symlinkSync(behind, work());
    await expectRefused('is a symbolic link');
    expect(readdirSync(behind).sort()).toEqual(names.sort());
    expect(lstatSync(work()).isSymbolicLink()).toBe(true);
  });

  test.each([
    ['without a lock', ['notes.txt'], "holds 'notes.txt'"],
    ['with a file of another name beside a lock', ['lock', 'notes.txt'], "holds 'notes.txt'"],
    ['with files of its own names and no lock', ['part'], 'has no lock in it'],
  ])('a folder %s in place of the work folder is unchanged', async (_, names, reason) => {
    const files = names.map((name) => (name === 'part' ? part : name));
    folderWith(work(), ...files);
    await expectRefused(reason);
    expect(readdirSync(work()).sort()).toEqual(files.sort());
  });

  test('a folder with a link or a folder in it is unchanged', async () => {
    const target = join(place, 'target');
    writeFileSync(target, 'precious');
    folderWith(work(), 'lock');
    symlinkSync(target, join(work(), part));
    await expectRefused(`holds '${part}'`);
    rmSync(join(work(), part));
    mkdirSync(join(work(), part));
    await expectRefused(`holds '${part}'`);
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  test('a file, and a folder that other accounts can write, are unchanged', async () => {
    writeFileSync(work(), 'precious');
    await expectRefused('is not a folder');
    expect(readFileSync(work(), 'utf8')).toBe('precious');
    rmSync(work());
    chmodSync(folderWith(work(), 'lock', part), 0o777);
    await expectRefused('can be written by other accounts');
    expect(readdirSync(work()).sort()).toEqual([part, 'lock'].sort());
  });

  test.skipIf(process.getuid?.() !== 0)(
    `a folder of another account is unchanged${process.getuid?.() === 0 ? '' : ' (skipped: only root gives folders away)'}`,
    async () => {
      chownSync(folderWith(work(), 'lock', part), 1_000, 1_000);
      await expectRefused('belongs to another account');
      expect(readdirSync(work()).sort()).toEqual([part, 'lock'].sort());
    },
  );

  test('the work folder of a killed process is taken over', async () => {
    folderWith(work(), 'lock', part);
    expect((await run(...args(), '--data', data)).code).toBe(0);
    expect(readdirSync(place)).not.toContain(work());
    expect(readdirSync(place).filter((name) => name.endsWith('under-way'))).toEqual([]);
  });
});

describe('a data folder', () => {
  const KEYS = ['keys', 'list', '--data'];

  test.each(['feedloom.lock', 'feedloom.opening.lock'])(
    'a data folder with a link for %s is refused',
    async (name) => {
      const own = join(place, 'own');
      expect((await run('keys', 'create', '--account', 'a', '--data', own)).code).toBe(0);
      const target = join(place, 'target');
      rmSync(join(own, name), { force: true });
      symlinkSync(target, join(own, name));
      const command = name === 'feedloom.lock' ? ['import', join(root, 'files'), '--data'] : KEYS;
      const { code, stderr } = await run(...command, own);
      expect([code, stderr]).toEqual([2, expect.stringContaining('[lock_damaged]')]);
      expect(readdirSync(place)).toEqual(['own']);
    },
  );

  test('a data folder with links in place of temporary files works without following them', async () => {
    const own = join(place, 'own');
    mkdirSync(own);
    const target = join(place, 'target');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(own, 'feedloom.lock.json.part'));
    expect((await run('import', join(root, 'files'), '--data', own)).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });
});

test('a new plugin is not written through a broken link', async () => {
  symlinkSync(join(place, 'target'), join(place, 'z.ts'));
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../../src/main.ts'), 'plugins', 'new', 'filter', 'acme/z'],
    { cwd: place, stdout: 'pipe', stderr: 'pipe' },
  );
  const stderr = await new Response(child.stderr).text();
  expect([await child.exited, stderr]).toEqual([2, expect.stringContaining('[file_exists]')]);
  expect(readdirSync(place)).toEqual(['z.ts']);
});
