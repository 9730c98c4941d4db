import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import { canMount, mountSmall } from '../simulation/support/mounted.ts';
import { about, createData, doctor, doctorBy } from './doctor-support.ts';
import { run } from './run.ts';

const IS_ROOT = process.getuid?.() === 0;

/** A plugin that prints while it is loaded. */
const CHATTY = `import { defineFilter, definePlugin, Type } from 'feedloom/plugin';
console.log('hello from the plugin');
export default definePlugin({
  meta: { name: 'chatty', version: '1.0.0', api: 2 },
  filters: {
    'chatty/all': defineFilter({
      summary: 'Every item.',
      kind: 'inclusion',
      options: Type.Object({}, { additionalProperties: false }),
      compile: () => () => () => true,
    }),
  },
});`;

function database(data: string): Database {
  return new Database(join(data, 'feedloom.sqlite'));
}

describe('feedloom doctor', () => {
  test('finds nothing to do for new data, and prints a line for each finding', async () => {
    const folder = folderWith({});
    const data = join(folder, 'data');
    await createData(data);
    const { code, stdout, stderr } = await run('doctor', '--data', data);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    for (const line of lines) expect(line).toMatch(/^(ok {2}|warn|fail) {2}[a-z ]+: ./);
    expect(lines[0]).toStartWith('ok    version: feedloom ');
    const here = ['data folder', 'clock', 'database', 'checkpoint', 'plugins', 'service'];
    if (process.platform === 'linux') here.push('memory');
    for (const subject of here)
      expect(lines.filter((line) => line.startsWith(`ok    ${subject}: `))).not.toEqual([]);
    expect(readdirSync(data).filter((name) => name.includes('doctor'))).toEqual([]);
  });

  test('reports a missing folder without creating it', async () => {
    const folder = folderWith({});
    const absent = join(folder, 'absent');
    const found = await doctor(absent);
    expect(found.code).toBe(0);
    expect(about(found, 'data folder')).toEqual([`warn '${absent}' does not exist`]);
    expect(about(found, 'database')).toEqual([expect.stringContaining('warn there is no data of feedloom')]);
    expect(existsSync(absent)).toBe(false);
  });

  test('fails for a file in place of the data folder', async () => {
    const folder = folderWith({ data: 'text' });
    const found = await doctor(join(folder, 'data'));
    expect(found.code).toBe(1);
    expect(about(found, 'data folder')).toEqual([expect.stringContaining('is not a folder')]);
  });

  test.skipIf(!canMount())(
    'fails for a read-only file system and for a small disk (needs the right to mount)',
    async () => {
      const disk = mountSmall(16_384)!;
      try {
        await createData(disk.folder);
        const small = await doctor(disk.folder);
        expect([small.code, ...about(small, 'disk space')]).toEqual([
          1,
          expect.stringMatching(/^fail only .* MB are free/),
        ]);
        disk.setWritable(false);
        const read_only = await doctor(disk.folder);
        expect(about(read_only, 'data folder')).toEqual([
          expect.stringMatching(/^fail .* cannot be written \(EROFS/),
        ]);
      } finally {
        disk.unmount();
      }
    },
  );

  test('warns of data that other accounts may read, and names the command that closes it', async () => {
    const folder = folderWith({});
    const data = join(folder, 'data');
    await createData(data);
    chmodSync(data, 0o755);
    const found = await doctor(data);
    expect([found.code, ...about(found, 'data folder')]).toEqual([
      0,
      expect.stringContaining('warn other accounts'),
    ]);
    expect(found.findings.find(({ level }) => level === 'warn')?.remedy).toContain(`chmod -R go= '${data}'`);
    expect(statSync(data).mode & 0o777).toBe(0o755);
  });

  test.skipIf(!IS_ROOT)(
    'warns when the folder belongs to another account than the one that asks (needs root)',
    async () => {
      const folder = folderWith({});
      const data = join(folder, 'data');
      await createData(data);
      chownSync(data, 12_345, 12_345);
      expect(about(await doctor(data), 'data folder')).toEqual([
        expect.stringContaining('warn') && expect.stringContaining('belongs to another account (uid 12345)'),
      ]);
    },
  );

  test('warns of few open files', async () => {
    const folder = folderWith({});
    const found = await doctorBy(['sh', '-c', 'ulimit -n 512; exec "$0" "$@"'], folder);
    expect(about(found, 'open files')).toEqual([expect.stringMatching(/^warn .* may open 512 files/)]);
  });

  test.skipIf(!canMount())(
    'warns when the kernel gives no huge pages (needs the right to mount)',
    async () => {
      const folder = folderWith({ setting: 'always madvise [never]\n' });
      const file = '/sys/kernel/mm/transparent_hugepage/enabled';
      // Kernels without the setting have nothing to find.
      if (!existsSync(file)) return;
      const script = `mount --bind '${join(folder, 'setting')}' ${file} && exec "$0" "$@"`;
      const by = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script];
      expect(about(await doctorBy(by, folder), 'huge pages')).toEqual([
        expect.stringContaining('warn the kernel gives none'),
      ]);
    },
  );
});

describe('feedloom doctor examines the database', () => {
  test('a damaged page is found with --deep', async () => {
    const data = folderWith({});
    await createData(data);
    const whole = database(data);
    const [[page, page_bytes]] = whole
      .query<unknown, []>(
        "select rootpage, page_size from sqlite_master, pragma_page_size where name = 'api_keys'",
      )
      .values() as number[][];
    whole.close();
    const file = join(data, 'feedloom.sqlite');
    const bytes = readFileSync(file);
    bytes.fill(0xff, page_bytes * (page - 1), page_bytes * (page - 1) + 64);
    writeFileSync(file, bytes);
    expect((await doctor(data)).code).toBe(0);
    const found = await doctor(data, '--deep');
    expect([found.code, ...about(found, 'database')]).toEqual([
      1,
      expect.stringContaining('ok SQLite'),
      expect.stringMatching(/^fail '.*feedloom.sqlite' is damaged: /),
    ]);
    const remedies = found.findings.flatMap(({ level, remedy }) => (level === 'fail' ? [remedy] : []));
    expect(remedies).toEqual([expect.stringContaining('feedloom restore')]);
  });

  test('a whole database passes --deep', async () => {
    const data = folderWith({});
    await createData(data);
    const found = await doctor(data, '--deep');
    expect([found.code, ...about(found, 'database')]).toEqual([
      0,
      expect.anything(),
      expect.stringContaining('no damage'),
    ]);
  });

  test('a file that is no database fails, and the other findings are still given', async () => {
    const data = folderWith({ 'feedloom.sqlite': 'x'.repeat(10_000) });
    const found = await doctor(data);
    expect([found.code, ...about(found, 'database')]).toEqual([
      1,
      expect.stringMatching(/^fail .*feedloom.sqlite' cannot be opened/),
    ]);
    expect(about(found, 'plugins')).toEqual(['ok only built-in ones']);
  });

  test('data of a newer version fails, and data of an older one is left as it is', async () => {
    const data = folderWith({});
    await createData(data);
    const older = database(data);
    older.run('delete from kysely_migration where name = (select max(name) from kysely_migration)');
    older.close();
    const before = await doctor(data);
    expect([before.code, ...about(before, 'database')]).toContain(
      'warn an older version wrote the data of content',
    );
    const newer = database(data);
    newer.run("insert into kysely_migration values ('9999_later', '2030-01-01T00:00:00.000Z')");
    newer.close();
    const after = await doctor(data);
    expect([after.code, ...about(after, 'database')]).toEqual([
      1,
      expect.stringContaining('newer version of feedloom'),
    ]);
  });

  test('the log of a replaced database is reported and left to the next start', async () => {
    const folder = folderWith({});
    const [data, other] = [join(folder, 'data'), join(folder, 'other')];
    await createData(data);
    await createData(other);
    const held = database(data);
    held.run('pragma journal_mode = wal');
    held.run("update meta set value = value where name = 'highest_seq'");
    copyFileSync(join(data, 'feedloom.sqlite-wal'), join(folder, 'log'));
    held.close();
    rmSync(join(data, 'feedloom.sqlite'));
    renameSync(join(other, 'feedloom.sqlite'), join(data, 'feedloom.sqlite'));
    renameSync(join(folder, 'log'), join(data, 'feedloom.sqlite-wal'));
    const found = await doctor(data);
    expect(about(found, 'database')).toContainEqual(
      expect.stringContaining('has the log of another database'),
    );
    const deep = await doctor(data, '--deep');
    expect(about(deep, 'database')).toContainEqual(
      expect.stringMatching(/^fail the data was not read, because .* has the log of another database/),
    );
    expect([found.code, deep.code]).toEqual([0, 1]);
    expect(existsSync(join(data, 'feedloom.sqlite-wal'))).toBe(true);
  });
});

describe('feedloom doctor loads plugins', () => {
  test('a plugin that cannot be loaded fails, or is a warning if it may be left out', async () => {
    const folder = folderWith({ 'broken.ts': 'export default 1;' });
    const plugins = join(folder, 'broken.ts');
    const strict = await doctor(folder, '--plugins', plugins);
    expect([strict.code, ...about(strict, 'plugins')]).toEqual([
      1,
      expect.stringMatching(/^fail plugin .*broken.ts: /),
    ]);
    const lax = await doctor(folder, '--plugins', plugins, '--plugins-strict', 'false');
    expect([lax.code, ...about(lax, 'plugins')]).toEqual([
      0,
      expect.stringMatching(/^warn plugin .*broken.ts: /),
    ]);
  });

  test('a plugin that prints does not disturb the JSON object', async () => {
    const folder = folderWith({ 'chatty.ts': CHATTY });
    const plugins = join(folder, 'chatty.ts');
    expect(about(await doctor(folder, '--plugins', plugins), 'plugins')).toEqual([
      `ok ${plugins} can be loaded`,
    ]);
  });
});

describe('feedloom doctor finds checkpoints by the database', () => {
  test('a recorded checkpoint without a file is a warning, and so is an old one', async () => {
    const data = folderWith({});
    await createData(data);
    const recorded = database(data);
    const entry = JSON.stringify({ name: 'first', seq: 1, digest: 'x' });
    recorded.run("insert into meta (name, value) values ('checkpoint', ?)", [entry]);
    recorded.close();
    const missing = await doctor(data);
    expect([missing.code, ...about(missing, 'checkpoint')]).toEqual([
      0,
      expect.stringMatching(/^warn .* is missing/),
    ]);
    const file = join(data, 'content-first.checkpoint');
    writeFileSync(file, 'x'.repeat(2_000_000), { mode: 0o600 });
    expect(about(await doctor(data), 'checkpoint')).toEqual([
      expect.stringMatching(/^ok .* 0 min old and has 2.0 MB$/),
    ]);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    expect(about(await doctor(data), 'checkpoint')).toEqual([expect.stringMatching(/^warn .* \d+ d old/)]);
  });
});
