import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../cli/run.ts';
import { actsCsv, countsCsv, itemsJsonl, type PlantedAct, START } from '../evaluate/support.ts';
import { jsonl, withFolder } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { environment, feedloom } from '../support/feedloom.ts';
import { blocksOf, document, documents } from './markdown.ts';

/** The commands of the documents, run as they stand. A block that no test can run is marked `sh not-tested: why`. */

const NOT_RUN = /^sh not-tested: \S/;

/** Documents whose commands other tests run. */
const ELSEWHERE = new Map([
  ['docs/first-feed.md', 'test/docs/first-feed.test.ts'],
  ['docs/import.md', 'test/cli/import-guide.test.ts'],
  ['docs/import/presets.md', 'test/cli/import-guide.test.ts'],
  ['docs/postgres.md', 'test/docs/postgres.test.ts'],
  ['docs/wallets.md', 'test/workloads/community/tour.test.ts'],
]);
/** The tour of the README, which the test of docs/wallets.md runs, too. */
const TOUR_BLOCK = /^URL=/;

const HERE = [
  'README.md',
  'docs/api.md',
  'docs/maintenance.md',
  'docs/operations.md',
  'docs/plugins.md',
  'docs/quality.md',
  'docs/quality/own-feeds.md',
];
/** What was done before the first command of a document. */
const BEFORE = new Map([['docs/maintenance.md', ['feedloom keys create --account app --data data']]]);
/** Documents whose commands ask a service. */
const OF_A_SERVICE = [
  'docs/feeds.md',
  'docs/feeds/labels.md',
  'docs/feeds/lists.md',
  'docs/feeds/preferences.md',
  'docs/feeds/reasons.md',
  'docs/feeds/words.md',
  'docs/keys.md',
  'docs/moderation.md',
  'docs/people.md',
  'docs/ranking/learning.md',
  'docs/recipes.md',
  'docs/troubleshooting.md',
];

const CURL = join(import.meta.dir, '../support/curl.ts');

const running = new Set<Bun.Subprocess>();
afterAll(async () => {
  await killAll();
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exited));
});

function scriptsOf(path: string): string[] {
  return blocksOf(document(path))
    .filter(({ kind, text }) => kind === 'sh' && !TOUR_BLOCK.test(text))
    .map(({ text }) => text);
}

function commandsOf(path: string): string[] {
  return scriptsOf(path).flatMap((text) => text.replaceAll('\\\n', '').trim().split('\n'));
}

/** Interchange files for `feedloom evaluate`, around the times that its examples name. */
function writeSamples(folder: string): void {
  const first = Date.parse('2026-11-01') / 1000 - START;
  const items = [...'abcdefghijkl'];
  const acts = ['u', 'v', 'w'].flatMap((user, nth) =>
    items.map((item, at): PlantedAct => [user, item, first + 60 * (nth + 3 * at)]),
  );
  // The last act of all is what the held-out file is about.
  const held_out = acts.pop()!;
  const counts = items.flatMap((item, at) =>
    [0, 3600, 7200, 14_400].map((seconds, nth): [string, number, number] => [
      item,
      first + seconds,
      10 * nth * (at + 1),
    ]),
  );
  const events = Array.from({ length: 20 }, (_, nth) => {
    const wallet = `0x${'0'.repeat(39)}${nth % 4}`;
    return `${wallet},base.0x${'c'.repeat(39)}${nth % 5},mint,${START + first + 60 * nth}`;
  });
  const exported = join(folder, 'exported');
  mkdirSync(exported);
  writeFileSync(
    join(exported, 'items.jsonl'),
    itemsJsonl(items.map((item): [string, number] => [item, first])),
  );
  writeFileSync(join(exported, 'interactions.csv'), actsCsv(acts));
  const shown = items.map((item) => `u,${item},${START + first + 30}`);
  writeFileSync(join(exported, 'impressions.csv'), ['user_id,item_id,timestamp', ...shown].join('\n'));
  writeFileSync(
    join(exported, 'feeds.jsonl'),
    jsonl(['feed_1', 'feed_2'].map((config_id) => ({ config_id, name: 'A feed', config: {} }))),
  );
  writeFileSync(join(exported, 'engagement.csv'), countsCsv(counts));
  writeFileSync(
    join(exported, 'events.csv'),
    ['wallet_address,item_id,event_type,timestamp', ...events].join('\n'),
  );
  writeFileSync(join(folder, 'test.csv'), actsCsv([held_out]));
}

/** Runs commands as a shell does; one that goes on is stopped when it is ready. */
async function shell(command: string, cwd: string, settings: Record<string, string> = {}): Promise<void> {
  const { PATH, ...others } = environment({ FEEDLOOM_PORT: '0', ...settings });
  const child = Bun.spawn(['sh', '-c', command], {
    cwd,
    env: { ...others, PATH: `${dirname(feedloom())}:${PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  const stderr = new Response(child.stderr).text();
  const goes_on = /^exec env .*\bfeedloom (serve|demo)\b/.test(command);
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream()))
    if (goes_on && /listening on|Stop with Ctrl-C/.test(text)) child.kill('SIGTERM');
  const code = await child.exited;
  running.delete(child);
  expect({ command, code, stderr: code === 0 ? '' : await stderr }).toEqual({ command, code: 0, stderr: '' });
}

describe('the commands of', () => {
  test.each(HERE)('%s work, one after another in one folder', async (path) => {
    const commands = commandsOf(path);
    expect(commands.length).toBeGreaterThan(0);
    await withFolder({}, async (folder) => {
      writeSamples(folder);
      for (const command of [...(BEFORE.get(path) ?? []), ...commands])
        await shell(`exec env ${command}`, folder);
    });
  });

  test.each(OF_A_SERVICE)(
    '%s work, on a service that has the item and the user that they name',
    async (path) => {
      const scripts = scriptsOf(path);
      expect(scripts.length).toBeGreaterThan(0);
      await withFolder({}, async (folder) => {
        const data = join(folder, 'data');
        const service = await startService(data);
        const item = { item_id: '0x07cb1f36', author_id: '9152', created_at: START };
        await fetch(`${service.address}/v2/community/items`, {
          method: 'POST',
          headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
          body: JSON.stringify(item),
        });
        const { stderr } = await run('keys', 'create', '--account', 'old', '--data', data);
        const settings = { URL: service.address, KEY: `Bearer ${API_KEY}` };
        const curl = `curl() { '${process.execPath}' '${CURL}' "$@"; }`;
        for (const script of scripts) {
          const named = script.replace('key_Zk2f0pXw9aQe', stderr.trim());
          await shell(`set -e\n${curl}\n${named}`, folder, settings);
        }
        expect(await service.stop()).toBe(0);
      });
    },
  );

  test('all documents are run, or say why not', () => {
    const with_commands = documents().filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
    const unknown = with_commands
      .filter(({ path }) => ![...HERE, ...OF_A_SERVICE, ...ELSEWHERE.keys()].includes(path))
      .flatMap((one) => blocksOf(one).map((block) => ({ ...block, path: one.path })))
      .filter(({ kind }) => /^(sh|bash|shell|console)\b/.test(kind) && !NOT_RUN.test(kind));
    expect(unknown.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  });
});
