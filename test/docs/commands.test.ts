import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { actsCsv, countsCsv, itemsJsonl, type PlantedAct, START } from '../evaluate/support.ts';
import { withFolder } from '../ingest/interchange/support.ts';
import { environment, feedloom } from '../support/feedloom.ts';
import { blocksOf, document, documents } from './markdown.ts';

/**
 * The commands of the documents, run as they stand. A block that no test can run begins with a comment that
 * says why.
 */

const NOT_RUN = /^# Not run by the tests: \S/;

/** Documents whose commands other tests run. */
const ELSEWHERE = new Map([
  ['docs/import.md', 'test/cli/import-guide.test.ts'],
  ['docs/wallets.md', 'test/workloads/community/tour.test.ts'],
]);
/** The tour of the README, which the test of docs/wallets.md runs, too. */
const TOUR_BLOCK = /^URL=/;

const HERE = ['README.md', 'docs/api.md', 'docs/operations.md', 'docs/plugins.md', 'docs/quality.md'];

const running = new Set<Bun.Subprocess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exited));
});

function commandsOf(path: string): string[] {
  return blocksOf(document(path))
    .filter(({ kind, text }) => kind === 'sh' && !NOT_RUN.test(text) && !TOUR_BLOCK.test(text))
    .flatMap(({ text }) => text.replaceAll('\\\n', '').trim().split('\n'));
}

/** Interchange files for `feedloom evaluate`, around the times that its examples name. */
function writeSamples(folder: string): void {
  const first = Date.parse('2026-11-01') / 1000 - START;
  const items = ['a', 'b', 'c', 'd'];
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
  writeFileSync(join(exported, 'engagement.csv'), countsCsv(counts));
  writeFileSync(
    join(exported, 'events.csv'),
    ['wallet_address,item_id,event_type,timestamp', ...events].join('\n'),
  );
  writeFileSync(join(folder, 'test.csv'), actsCsv([held_out]));
}

/** Runs a command as a shell does; one that goes on is stopped when it is ready. */
async function shell(command: string, cwd: string): Promise<void> {
  const { PATH, ...others } = environment({ FEEDLOOM_PORT: '0' });
  const child = Bun.spawn(['sh', '-c', `exec ${command}`], {
    cwd,
    env: { ...others, PATH: `${dirname(feedloom())}:${PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  const stderr = new Response(child.stderr).text();
  const goes_on = /^feedloom (serve|demo)\b/.test(command);
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream()))
    if (goes_on && /listening on|Stop with Ctrl-C/.test(text)) child.kill('SIGTERM');
  const code = await child.exited;
  running.delete(child);
  expect({ command, code, stderr: code === 0 ? '' : await stderr }).toEqual({ command, code: 0, stderr: '' });
}

describe('the commands of', () => {
  test.each(HERE)(
    '%s work, one after another in one folder',
    async (path) => {
      const commands = commandsOf(path);
      expect(commands.length).toBeGreaterThan(0);
      await withFolder({}, async (folder) => {
        writeSamples(folder);
        for (const command of commands) await shell(command, folder);
      });
    },
    60_000,
  );

  test('all documents are run, or say why not', () => {
    const with_commands = documents().filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
    const unknown = with_commands
      .filter(({ path }) => !HERE.includes(path) && !ELSEWHERE.has(path))
      .flatMap((one) => blocksOf(one).map((block) => ({ ...block, path: one.path })))
      .filter(({ kind, text }) => kind === 'sh' && !NOT_RUN.test(text));
    expect(unknown.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  });
});
