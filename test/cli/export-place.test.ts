import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { run, start } from './run.ts';

const USERS = '{"user_id":"a"}\n{"user_id":"b"}\n';

let root: string;
let data: string;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'feedloom-export-place-'));
  data = join(root, 'data');
  const files = join(root, 'files');
  mkdirSync(files);
  writeFileSync(join(files, 'users.jsonl'), USERS);
  expect((await run('import', files, '--data', data)).code).toBe(0);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, 'export-'));
});

const args = (...more: string[]) => ['export', folder, '--data', data, ...more];
const WHOLE = ['trends.jsonl', 'users.jsonl'];

describe('the folder of an export', () => {
  test.each([[[]], [['--force']]])(
    'is one export’s at a time; the other is refused and leaves it alone (%j)',
    async (more) => {
      const work = join(folder, 'export.under-way');
      mkdirSync(work);
      writeFileSync(join(work, 'users.jsonl.partial'), 'half of another export');
      const other = new Database(join(work, 'lock'));
      other.run('pragma journal_mode = memory');
      other.run('begin exclusive');
      const { code, stderr } = await run(...args(...more));
      expect([code, stderr.includes(`another export to '${folder}' is under way`)]).toEqual([2, true]);
      expect(readdirSync(folder)).toEqual(['export.under-way']);
      expect(readdirSync(work).sort()).toEqual(['lock', 'users.jsonl.partial']);
      // What a process has left that was killed is in nobody's way.
      other.close();
      expect((await run(...args(...more))).code).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(WHOLE);
      expect(readFileSync(join(folder, 'users.jsonl'), 'utf8')).toBe(USERS);
    },
  );

  test('has one export, whole, when several are started at once', async () => {
    const ran = await Promise.all([run(...args()), run(...args()), run(...args())]);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    for (const { code, stderr } of ran) if (code !== 0) expect(stderr).toContain('[folder_in_use]');
    expect(readdirSync(folder).sort()).toEqual(WHOLE);
    expect(readFileSync(join(folder, 'users.jsonl'), 'utf8')).toBe(USERS);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('has what it had after %s', async (signal, expected) => {
    writeFileSync(join(folder, 'users.jsonl'), 'former');
    const work = join(folder, 'export.under-way');
    mkdirSync(work);
    // Nobody reads from it, so the export that writes there is under way until the signal comes.
    const pipe = join(work, 'users.jsonl.partial');
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
    const child = start(...args('--force'));
    while (child.exitCode === null && !existsSync(join(work, 'lock'))) await nextTurn();
    child.kill(signal);
    expect(await child.exited).toBe(expected);
    expect(readdirSync(folder)).toEqual(['users.jsonl']);
    expect(readFileSync(join(folder, 'users.jsonl'), 'utf8')).toBe('former');
  });
});
