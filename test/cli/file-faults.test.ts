import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, feedloom } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Ran, run, runIn } from './run.ts';

/** Unusable files and folders are reported like any error: in one line, with a remedy, without a stack. */

const folder = temporaryFolder('file-faults');
const data = join(folder, 'data');
const files = join(folder, 'files');
mkdirSync(files);
for (const name of ['users', 'items']) {
  const line = name === 'users' ? { user_id: 'u' } : { item_id: 'a', author_id: 'u', created_at: 1000 };
  writeFileSync(join(files, `${name}.jsonl`), `${JSON.stringify(line)}\n`);
}
expect((await run('import', files, '--data', data)).code).toBe(0);

/** A new path in the folder. */
function made(name: string, make: (path: string) => void): string {
  const path = join(folder, name);
  make(path);
  return path;
}

/** Runs `feedloom …` in a folder, with a limit on the size of files in blocks of 512 bytes. */
async function runWithin(blocks: number, cwd: string, ...args: string[]): Promise<Ran> {
  const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
  const child = Bun.spawn(['sh', '-c', limited, feedloom(), ...args], {
    cwd,
    env: environment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

function expectRefused({ code, stderr, stdout }: Ran, refusal: string, ...named: string[]): void {
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length, stderr }).toEqual({
    code: 2,
    stdout: '',
    lines: 2,
    stderr: expect.stringMatching(new RegExp(`^feedloom: .* \\[${refusal}\\]\\n  [A-Z].*\\.\\n$`)),
  });
  for (const each of named) expect(stderr).toContain(each);
}

describe('an export is refused', () => {
  const exportTo = (path: string) => run('export', path, '--data', data);

  test('an export to a path that is a file is refused', async () => {
    const file = made('a-file', (path) => writeFileSync(path, ''));
    expectRefused(await exportTo(file), 'unreadable_folder', file, 'ENOTDIR');
    expectRefused(await exportTo(join(file, 'below')), 'unwritable_folder', file);
  });

  test('an export to a folder that cannot be created is refused', async () => {
    const nowhere = made('nowhere', (path) => symlinkSync(join(folder, 'absent', 'deep'), path));
    expectRefused(await exportTo(nowhere), 'unwritable_folder', nowhere);
  });

  test('an export to a full disk is refused with the name of the file', async () => {
    const files = made('large', (path) => mkdirSync(path));
    const names = Array.from(
      { length: 400 },
      (_, at) => `{"user_id":"u${at}","display_name":"${'n'.repeat(250)}"}`,
    );
    writeFileSync(join(files, 'users.jsonl'), names.join('\n'));
    const large = join(folder, 'large-data');
    expect((await run('import', files, '--data', large)).code).toBe(0);
    const full = join(folder, 'full');
    expectRefused(
      await runWithin(100, folder, 'export', full, '--data', large),
      'unwritable_file',
      join(full, 'export.under-way', 'users.jsonl'),
      'EFBIG',
    );
    expect(existsSync(full)).toBe(false);
  });
});

describe('an import is refused', () => {
  const importFrom = (path: string) => run('import', path, '--data', join(folder, 'imported'));

  test('an import of a folder that is a broken link is refused', async () => {
    const loop = made('loop', (path) => symlinkSync(path, path));
    expectRefused(await importFrom(loop), 'unreadable_folder', loop);
  });

  test('an import of files that cannot be opened is refused before any file is read', async () => {
    const files = made('unopened', (path) => mkdirSync(path));
    for (const name of ['users.jsonl', 'items.jsonl']) symlinkSync(join(files, 'absent'), join(files, name));
    expectRefused(await importFrom(files), 'unreadable_file', join(files, 'users.jsonl'));
  });

  test.each(['events.csv', 'feeds.jsonl.gz', 'items.jsonl'])(
    'an import in which %s is a folder is refused before anything is stored',
    async (name) => {
      const files = made(`with-${name}`, (path) => mkdirSync(join(path, name), { recursive: true }));
      writeFileSync(join(files, 'users.jsonl'), '{"user_id":"u"}\n');
      expectRefused(await importFrom(files), 'unreadable_file', `'${join(files, name)}' is a folder`);
      expect(existsSync(join(folder, 'imported'))).toBe(false);
    },
  );
});

test('a start with plugins that are broken links is refused', async () => {
  const loop = made('plugins-loop', (path) => symlinkSync(path, path));
  expectRefused(await run('serve', '--plugins', loop, '--data', data), 'plugin_not_found', loop, 'ELOOP');
});

describe('a new plugin that cannot be written', () => {
  test('a new plugin is refused and leaves nothing if a file exists already', async () => {
    const own = made('own', (path) => mkdirSync(join(path, 'feedloom-plugin.d.ts'), { recursive: true }));
    const ran = await runIn(own, 'plugins', 'new', 'filter', 'acme/z');
    expectRefused(ran, 'unwritable_file', join('own', 'feedloom-plugin.d.ts'));
    expect(readdirSync(own)).toEqual(['feedloom-plugin.d.ts']);
  });

  test('a new plugin is refused and leaves nothing if a file can be neither written nor removed', async () => {
    const own = made('too-long', (path) => mkdirSync(path));
    // The name with `.ts` has the maximum length.
    const name = 'z'.repeat(252);
    const ran = await runIn(own, 'plugins', 'new', 'filter', name);
    expectRefused(ran, 'unwritable_file', `${name}.test.ts`, 'ENAMETOOLONG');
    expect(readdirSync(own)).toEqual([]);
  });

  test('a new plugin is refused and leaves nothing if the disk is full', async () => {
    const own = made('no-room', (path) => mkdirSync(path));
    writeFileSync(join(own, 'notes.md'), 'kept');
    const ran = await runWithin(40, own, 'plugins', 'new', 'filter', 'acme/z');
    expectRefused(ran, 'unwritable_file', join('no-room', 'feedloom-plugin.d.ts'), 'EFBIG');
    expect(readdirSync(own)).toEqual(['notes.md']);
  });
});

/** Root ignores file modes. */
const IS_ROOT = process.getuid?.() === 0;

describe.skipIf(IS_ROOT)(`without rights${IS_ROOT ? ' (skipped: root has them all)' : ''}`, () => {
  test('folders and files without rights are refused, and such data is not taken for absent', async () => {
    const closed = made('closed', (path) => mkdirSync(path));
    writeFileSync(join(closed, 'users.jsonl'), '', { mode: 0 });
    expectRefused(await run('import', closed, '--data', data), 'unreadable_file', 'EACCES');
    chmodSync(closed, 0);
    try {
      expectRefused(await run('import', closed, '--data', data), 'unreadable_folder', 'EACCES');
      expectRefused(await run('export', closed, '--data', data), 'unreadable_folder', 'EACCES');
      expectRefused(await run('export', join(closed, 'x'), '--data', data), 'unwritable_folder', 'EACCES');
      expectRefused(await run('serve', '--plugins', closed, '--data', data), 'plugin_not_found', 'EACCES');
      const { code, stderr } = await run('keys', 'list', '--data', closed);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/may not be read \(EACCES.*\[data_unreadable\]/),
      ]);
    } finally {
      chmodSync(closed, 0o700);
    }
  });
});
