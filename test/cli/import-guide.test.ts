import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { withFolder } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { environment, feedloom, REPOSITORY } from '../support/feedloom.ts';
import { freshDatabase } from '../support/postgres.ts';
import { ended, type Ran, run } from './run.ts';

/** These tests run every command of docs/import.md, in the order of its sections. */

const GUIDE = readFileSync(join(REPOSITORY, 'docs', 'import.md'), 'utf8');
const EXAMPLES = join(REPOSITORY, 'test', 'cli', 'import-examples');
const PSQL = join(REPOSITORY, 'test', 'support', 'psql.ts');
const SECTIONS = new Map(
  GUIDE.split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), scriptsOf(section)]),
);

afterAll(killAll);

/** The blocks of commands, without `serve`, which never ends. */
function scriptsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  return blocks.map((block) => block.replace(/^feedloom serve .*\n/m, ''));
}

/** Runs commands of the guide. @param databases URLs by name, for psql */
async function shell(script: string, cwd: string, databases: Record<string, string>): Promise<Ran> {
  const programs = join(cwd, 'programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'psql'), `#!/bin/sh\nexec '${process.execPath}' '${PSQL}' "$@"\n`);
  chmodSync(join(programs, 'psql'), 0o755);
  const { PATH, ...others } = environment({ TEST_DATABASES: JSON.stringify(databases) });
  const child = Bun.spawn(['sh', '-c', `set -e\n${script}`], {
    cwd,
    env: { ...others, PATH: `${programs}:${dirname(feedloom())}:${PATH}` },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return ended(child);
}

/** A database with the tables and rows of an example. */
async function databaseOf(example: string): Promise<string> {
  const url = await freshDatabase();
  const sql = new SQL({ url, max: 1 });
  await sql.unsafe(readFileSync(join(EXAMPLES, example), 'utf8'));
  await sql.close();
  return url;
}

/** Runs the blocks of a section. @returns their outputs */
async function runSection(
  title: string,
  work: (ran: Ran[], folder: string) => Promise<void>,
  databases: Record<string, string> = {},
): Promise<void> {
  const scripts = SECTIONS.get(title) ?? [];
  await withFolder({}, async (folder) => {
    cpSync(EXAMPLES, folder, { recursive: true });
    const ran: Ran[] = [];
    for (const script of scripts) {
      const result = await shell(script, folder, databases);
      expect({ script, ...result }).toMatchObject({ script, code: 0 });
      ran.push(result);
    }
    await work(ran, folder);
  });
}

/** Checks that no text of the data says "secret", except of a kind that is hidden. */
function expectPublic(folder: string, hidden = '^$'): void {
  const { exitCode } = Bun.spawnSync([
    feedloom(),
    'export',
    join(folder, 'all'),
    '--data',
    join(folder, 'data'),
  ]);
  expect(exitCode).toBe(0);
  const items = readFileSync(join(folder, 'all', 'items.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const texts = items.map((line): string => JSON.parse(line).text ?? 'an item without text');
  const kept = texts.filter((text) => !new RegExp(hidden).test(text));
  expect(kept.length).toBeGreaterThan(3);
  expect(kept.filter((text) => /secret|without text/.test(text))).toEqual([]);
  expect(kept).not.toContain('');
}

describe('docs/import.md', () => {
  test('a table of threads and replies becomes items and comments, with deleted posts hidden', async () => {
    await runSection('Threads and replies', async ([{ stdout }], folder) => {
      expect(stdout).toMatch(/posts\.csv +4 accepted \(0 unchanged\), 0 rejected/);
      expect(stdout).toMatch(/posts\.csv +2 accepted \(0 unchanged\), 2 rejected/);
      const exported = join(folder, 'exported');
      expect((await run('export', exported, '--data', join(folder, 'data'))).code).toBe(0);
      const lines = readFileSync(join(exported, 'items.jsonl'), 'utf8').trim().split('\n');
      const items = Object.fromEntries(lines.map((line) => [JSON.parse(line).item_id, JSON.parse(line)]));
      expect(items.t1).toMatchObject({ text_format: 'html', hidden: false });
      expect(items.p2).toMatchObject({ parent_item_id: 't1', created_at: items.t1.created_at + 3_600 });
      expect(Object.keys(items).filter((item_id) => items[item_id].hidden)).toEqual(['t3', 'p4']);
      const acts = readFileSync(join(exported, 'interactions.csv'), 'utf8');
      expect(acts).toMatch(/^2,t1,comment,.*p2/m);
    });
  });

  test('the export of a forum becomes for-you pages with one import and a start of the service', async () => {
    const databases = { discourse: await databaseOf('discourse.sql') };
    const check = async ([, looked, imported, evaluated]: Ran[], folder: string) => {
      expect(looked.stdout).toContain(
        'users.csv as users: 5 would be accepted, 0 rejected\n  {"user_id":"1","username":"ann"',
      );
      expect(imported.stdout).toContain('posts.csv  8 accepted (0 unchanged), 0 rejected\n');
      expect(imported.stdout).toContain('likes.csv  12 accepted (0 unchanged), 0 rejected\n');
      expect(imported.stdout).not.toContain('that nothing describes');
      expect(evaluated.stdout).toContain('baseline popular');
      const service = await startService(join(folder, 'data'));
      const page = await fetch(`${service.address}/v2/farcaster/casts/feed/for-you`, {
        method: 'POST',
        headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ user_id: '4', top_k: 20 }),
      });
      const items = JSON.stringify(await page.json());
      for (const item_id of ['101', '102', '107']) expect(items).toContain(`"${item_id}"`);
      // The viewer liked it.
      expect(items).not.toContain('"item_id":"108"');
      await service.stop();
      expectPublic(folder);
    };
    await runSection('A forum: Discourse', check, databases);
  });

  test('tables of a Mastodon server and the archive of an account are imported without what is private', async () => {
    const databases = { mastodon_production: await databaseOf('mastodon.sql') };
    const check = async ([, tables, archive]: Ran[], folder: string) => {
      const counts = Object.fromEntries(
        [...tables.stdout.matchAll(/(\w+)\.csv +(\d+) accepted \(0 unchanged\), 0 rejected/g)].map((found) =>
          found.slice(1, 3),
        ),
      );
      const acts = { favourites: '4', boosts: '1', follows: '2', blocks: '1' };
      expect(counts).toEqual({ accounts: '5', statuses: '6', ...acts });
      expect(tables.stdout).not.toContain('that nothing describes');
      expect(archive.stdout).toContain('following_accounts.csv  2 accepted');
      expectPublic(folder, 'of a (suspended|limited) account');
      const exported = (name: string) => readFileSync(join(folder, 'all', name), 'utf8');
      expect(exported('interactions.csv')).toContain('109302,112753400000000001,share,');
      const users = exported('users.jsonl').trim().split('\n');
      const hidden = users.filter((line) => line.includes('"hidden":true')).map((line) => JSON.parse(line));
      expect(hidden.map(({ username }) => username).sort()).toEqual(['limited', 'spammer']);
    };
    await runSection('A Mastodon server', check, databases);
  });

  test('an export of gorse is imported with its labels, hidden items and views', async () => {
    await runSection('gorse', async (_ran, folder) => {
      const exported = join(folder, 'exported');
      expect((await run('export', exported, '--data', join(folder, 'data'))).code).toBe(0);
      const items = readFileSync(join(exported, 'items.jsonl'), 'utf8').split('\n');
      expect(items.find((line) => line.includes('repo:ridge'))).toContain('"ai_labels":{"bikes":1}');
      expect(items.find((line) => line.includes('repo:old'))).toContain('"hidden":true');
      const acts = readFileSync(join(exported, 'interactions.csv'), 'utf8');
      expect(acts).toContain('ann,repo:ridge,like,');
      expect(acts).toContain('ann,repo:bread,view,');
    });
  });

  test('the lines of import --help are those of docs/import.md', async () => {
    const { stdout } = await run('import', '--help');
    const shown = (text: string) =>
      [...text.matchAll(/--map ("\w+\.(?:csv|jsonl)=.*")/g)].map(([, map]) => map);
    const guide = shown(GUIDE);
    const help = shown(stdout);
    expect(help).toHaveLength(12);
    for (const map of help) expect(guide).toContain(map);
    const plain = (text: string) => text.replace(/\s*\\?\s+/g, ' ');
    const conditions = [...plain(stdout).matchAll(/ where (.*?)(?:\):|, and boosts)/g)].map(
      ([, each]) => each,
    );
    expect(conditions).toHaveLength(2);
    for (const condition of conditions) expect(plain(GUIDE)).toContain(`where ${condition}"`);
  });

  test('every command of docs/import.md is run by these tests', () => {
    const titles = ['Threads and replies', 'A forum: Discourse', 'A Mastodon server', 'gorse'];
    const others = [...SECTIONS].filter(([title]) => !titles.includes(title));
    expect(others.flatMap(([, commands]) => commands)).toEqual([]);
  });
});
