import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/feedloom.ts';
import { executableInEmptyFolder, idOf, type Running, startIn } from './support.ts';

/** A connector that is installed as an npm package, used with nothing but the executable. */

const ID = 'acme/outbox_v1.0.0';
const ANN = 'https://social.example/users/ann';

let folder: string;
let outbox: Bun.Server<undefined>;
const notes: object[] = [];
let visit = Promise.withResolvers<void>();

/** Publishes a note. */
function publish(number: number): void {
  const object = { id: `note-${number}`, type: 'Note', attributedTo: ANN, content: `<p>Note ${number}</p>` };
  const published = new Date(Date.UTC(2026, 0, number)).toISOString();
  notes.unshift({ id: `activity-${number}`, type: 'Create', actor: ANN, published, object });
}

beforeAll(() => {
  folder = executableInEmptyFolder();
  mkdirSync(join(folder, 'node_modules'));
  const package_folder = join(REPOSITORY, 'test', 'plugins-external', 'outbox');
  cpSync(package_folder, join(folder, 'node_modules', 'feedloom-outbox'), { recursive: true });
  outbox = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      visit.resolve();
      return Response.json({ type: 'OrderedCollection', orderedItems: notes });
    },
  });
}, 120_000);

afterAll(async () => {
  await outbox.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const start = (): Promise<Running> =>
  startIn(folder, [
    ...['--data', 'data', '--plugins', 'feedloom-outbox'],
    ...['--connect', `${ID}?url=${outbox.url}&every_seconds=1`],
  ]);

/** The ids on a page, once the connector has stored a record of each. */
async function pageOf(running: Running, records_count: number): Promise<string[]> {
  for (;;) {
    const { body } = await running.call('GET', '/api/connectors');
    if (body.data[0].records_count === records_count) break;
  }
  const answer = await running.post('/v2/farcaster/feeds/popular', {});
  expect(answer.status).toBe(200);
  return answer.body.body.map(idOf).sort();
}

test('a connector in an npm package reads its source, and goes on behind its cursor after a restart', async () => {
  publish(1);
  publish(2);
  const first = await start();
  expect(await pageOf(first, 2)).toEqual(['note-1', 'note-2']);
  await first.stop();
  publish(3);
  visit = Promise.withResolvers();
  const second = await start();
  await visit.promise;
  expect(await pageOf(second, 1)).toEqual(['note-1', 'note-2', 'note-3']);
  await second.stop();
});
