import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { databaseOf, EXAMPLES, shell } from './import-shell.ts';
import { type Ran, run } from './run.ts';

/** These tests run every command of docs/import.md and docs/import/presets.md, in the order of their sections. */

const GUIDE = ['import.md', 'import/presets.md']
  .map((name) => readFileSync(join(REPOSITORY, 'docs', name), 'utf8'))
  .join('\n');
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

describe('docs/import.md', () => {
  test('a table of threads and replies becomes items and comments, with deleted posts hidden', async () => {
    await runSection('Threads and replies', async ([{ stdout }], folder) => {
      expect(stdout).toMatch(/posts\.csv +4 accepted \(0 unchanged\), 0 rejected/);
      expect(stdout).toMatch(/posts\.csv +2 accepted \(0 unchanged\), 2 skipped, 0 rejected/);
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

  test('an export of a forum becomes for-you pages with a preset and a start of the service', async () => {
    const databases = { discourse: await databaseOf('discourse.sql') };
    const check = async ([imported, evaluated]: Ran[], folder: string) => {
      expect(imported.stdout).toContain(
        'users.csv as users: 5 would be accepted, 0 rejected\n  {"user_id":"1","username":"ann"',
      );
      expect(imported.stdout).toMatch(/posts\.csv +9 accepted \(0 unchanged\), 0 rejected\n/);
      expect(imported.stdout).toMatch(/likes\.csv +12 accepted \(0 unchanged\), 0 rejected\n/);
      expect(imported.stdout).not.toContain('that nothing describes');
      expect(evaluated.stdout).toContain('baseline popular');
      const service = await startService(join(folder, 'data'));
      const page = await fetch(`${service.address}/v2/community/feeds/for-you`, {
        method: 'POST',
        headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ user_id: '4', top_k: 20 }),
      });
      const items = JSON.stringify(await page.json());
      for (const item_id of ['101', '102', '107']) expect(items).toContain(`"${item_id}"`);
      // The viewer liked it.
      expect(items).not.toContain('"item_id":"108"');
      await service.stop();
    };
    await runSection('Exports of other software', check, databases);
  });

  test('the archive of an account of Mastodon becomes follows', async () => {
    await runSection('Presets', async ([archive]) => {
      expect(archive.stdout).toContain('following_accounts.csv  2 accepted');
    });
  });

  test('every command of both documents is run by these tests', () => {
    const titles = ['Threads and replies', 'Exports of other software', 'Presets'];
    const others = [...SECTIONS].filter(([title]) => !titles.includes(title));
    expect(others.flatMap(([, commands]) => commands)).toEqual([]);
  });
});
