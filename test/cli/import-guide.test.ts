import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { environment, feedloom, REPOSITORY } from '../support/feedloom.ts';
import { type Ran, run } from './run.ts';

/** These tests run every command of docs/import.md, in the order of its sections. */

const GUIDE = readFileSync(join(REPOSITORY, 'docs', 'import.md'), 'utf8');
const EXAMPLES = join(REPOSITORY, 'test', 'cli', 'import-examples');
const SECTIONS = new Map(
  GUIDE.split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), commandsOf(section)]),
);

afterAll(killAll);

function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  return blocks.flatMap((block) => block.replaceAll('\\\n', '').trim().split('\n'));
}

/** Runs a line of the guide like a shell. */
async function shell(line: string, cwd: string): Promise<Ran> {
  const { PATH, ...others } = environment();
  const child = Bun.spawn(['sh', '-c', line], {
    cwd,
    env: { ...others, PATH: `${dirname(feedloom())}:${PATH}` },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Runs the commands of a section except `serve`, which never ends. @returns their outputs */
async function runSection(title: string, work: (ran: Ran[], folder: string) => Promise<void>): Promise<void> {
  const commands = SECTIONS.get(title) ?? [];
  await withFolder({}, async (folder) => {
    cpSync(EXAMPLES, folder, { recursive: true });
    const ran: Ran[] = [];
    for (const command of commands.filter((each) => !each.startsWith('feedloom serve'))) {
      const result = await shell(command, folder);
      expect({ command, ...result }).toMatchObject({ command, code: 0 });
      ran.push(result);
    }
    await work(ran, folder);
  });
}

describe('docs/import.md', () => {
  test('the export of a forum becomes for-you pages with one import and a start of the service', async () => {
    await runSection('A forum: Discourse', async ([looked, imported, , evaluated], folder) => {
      expect(looked.stdout).toContain(
        'users.csv as users: 5 would be accepted, 0 rejected\n  {"user_id":"1","username":"ann"',
      );
      expect(imported.stdout).toContain('likes.csv  13 accepted (0 unchanged), 0 rejected\n');
      expect(imported.stdout).toContain('1 item that nothing describes was made');
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
    });
  }, 60_000);

  test('tables of a Mastodon server and the archive of an account are imported', async () => {
    await runSection('A Mastodon server', async ([tables, archive]) => {
      for (const line of ['accounts.csv    3', 'statuses.csv    4', 'follows.csv     2', 'favourites.csv  4'])
        expect(tables.stdout).toContain(`${line} accepted (0 unchanged), 0 rejected\n`);
      expect(archive.stdout).toContain('following_accounts.csv  2 accepted');
    });
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
    expect(help).toHaveLength(10);
    for (const map of help) expect(guide).toContain(map);
  });

  test('every command of docs/import.md is run by these tests', () => {
    const titles = ['A forum: Discourse', 'A Mastodon server', 'gorse'];
    const others = [...SECTIONS].filter(([title]) => !titles.includes(title));
    expect(others.flatMap(([, commands]) => commands)).toEqual([]);
  });
});
