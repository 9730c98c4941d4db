import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { run, start } from './run.ts';

const USERS = '{"user_id":"a"}\n{"user_id":"b"}\n';
let folder: string;
const root = temporaryFolder('export-place');
const data = join(root, 'data');
const files = join(root, 'files');
mkdirSync(files);
writeFileSync(join(files, 'users.jsonl'), USERS);
expect((await run('import', files, '--data', data)).code).toBe(0);

beforeEach(() => {
  folder = mkdtempSync(join(root, 'export-'));
});

const args = (...more: string[]) => ['export', folder, '--data', data, ...more];
const WHOLE = ['users.jsonl'];

describe('the folder of an export', () => {
  test.each([[[]], [['--force']]])(
    'two exports to one folder exclude each other: the second is refused and changes nothing (%j)',
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
      // The folder of a killed process does not block later exports.
      other.close();
      expect((await run(...args(...more))).code).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(WHOLE);
      expect(readFileSync(join(folder, 'users.jsonl'), 'utf8')).toBe(USERS);
    },
  );

  test('of several exports to one folder that start at once, one complete export remains', async () => {
    const ran = await Promise.all([run(...args()), run(...args()), run(...args())]);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    for (const { code, stderr } of ran) if (code !== 0) expect(stderr).toContain('[folder_in_use]');
    expect(readdirSync(folder).sort()).toEqual(WHOLE);
    expect(readFileSync(join(folder, 'users.jsonl'), 'utf8')).toBe(USERS);
  });

  for (const [signal, expected, ofRun] of [
    ['SIGTERM', 143, test],
    ['SIGINT', 130, longTest],
  ] as const) {
    ofRun(`has what it had after ${signal}`, async () => {
      const files = join(folder, 'files');
      mkdirSync(files);
      const users = Array.from({ length: 50_000 }, (_, at) => `{"user_id":"u${at}"}\n`);
      writeFileSync(join(files, 'users.jsonl'), users.join(''));
      const many = join(folder, 'data');
      expect((await run('import', files, '--data', many)).code).toBe(0);
      const place = join(folder, 'place');
      mkdirSync(place);
      for (let code = -1; code !== expected; ) {
        writeFileSync(join(place, 'users.jsonl'), 'former');
        const child = start('export', place, '--data', many, '--force');
        while (child.exitCode === null && !existsSync(join(place, 'export.under-way', 'lock')))
          await nextTurn();
        child.kill(signal);
        code = await child.exited;
        // An export that was complete before the signal arrived is repeated.
        expect([0, expected]).toContain(code);
        expect(existsSync(join(place, 'export.under-way'))).toBe(false);
      }
      expect(readdirSync(place)).toEqual(['users.jsonl']);
      expect(readFileSync(join(place, 'users.jsonl'), 'utf8')).toBe('former');
    });
  }
});
