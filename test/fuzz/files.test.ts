import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError, StartupError } from '../../src/errors.ts';
import { experimentLines } from '../../src/experiments/experiment-file.ts';
import { importExperiments } from '../../src/experiments/import.ts';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles, exportWallets } from '../../src/interchange/exporter.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { importFeeds } from '../../src/interchange/import-feeds.ts';
import { importFiles, importWallets } from '../../src/interchange/importer.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { checkpointsIn, Place, write } from '../checkpoint/support.ts';
import { readFiles, withFolder } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { openTestServer, START, type TestServer, type TestService } from '../support/service.ts';
import { digest } from '../support/state-digest.ts';
import { Chance, SEED } from './chance.ts';
import { DOORS } from './doors.ts';
import { mutatedBytes, mutatedJson, textOf } from './mutations.ts';

/** Number of inputs per endpoint. */
const CASES = times(100);

/**
 * Random interchange files and checkpoints: valid ones with a mutation. An import accepts good lines and names the
 * rest, or fails with an error. A damaged checkpoint is ignored.
 */

const PROBES = { wallets: [], event_ids: ['e1'] };
const HANDWRITTEN = {
  'follows.csv': `user_id,target_user_id,timestamp,action\nu1,u2,${START - 50}\n"u,3",u1,${START - 40},unfollow\n`,
  'engagement.csv': `item_id,timestamp,likes_count,comments_count,shares_count\ni1,${START - 30},5,1,0\ni1,${START - 20},9,,\n`,
  'impressions.csv': `user_id,item_id,timestamp\nu1,i1,${START - 10}\nu1,i2,${START - 10}\n`,
  'blocks.csv': 'user_id,target_user_id,action\nu3,u5,block\n',
};

let server: TestServer;
let sound: Record<string, string>;
beforeAll(async () => {
  const first = await openTestServer();
  const key = { authorization: 'Bearer test-key' };
  for (const { method, target, json } of DOORS) {
    if (method === 'POST' && json !== undefined && !target.includes('/casts/'))
      await first.call(method, target, json, key);
  }
  const { service } = first;
  sound = await withFolder({}, async (folder) => {
    const out = new ExportFolder(folder, { force: false, gzip: false });
    await exportFiles(service.store, out, undefined, { experimentsOf: experimentLines });
    await exportWallets(service.alpha.community!.store, out);
    out.finish();
    return { ...HANDWRITTEN, ...readFiles(folder) };
  });
  await first.close();
  server = await openTestServer();
});
afterAll(() => server.close());

/** @throws errors of an import */
async function importInto({ service }: TestService, folder: string, strict: boolean): Promise<string[]> {
  const lines: string[] = [];
  const log = new ImportLog(strict, (line) => lines.push(line));
  const found = readFolder(folder);
  if (found.files.length > 0) await importFiles(service, found, log, () => {});
  if (found.feed_files.length > 0)
    await importFeeds({ ...service, actor: 'cli:test' }, found.feed_files, log);
  const target = { ...service, actor: 'cli:test' };
  if (found.experiment_files.length > 0) await importExperiments(target, found.experiment_files, log);
  const { alpha, settings } = service;
  if (found.wallet_files.length > 0)
    await importWallets({ ...(await alpha.create()), settings }, found, alpha.chain, log);
  return lines;
}

/** Some or all of the valid files, one of them mutated. */
function mutatedFiles(chance: Chance): Record<string, Uint8Array> {
  const names = Object.keys(sound);
  const changed = chance.pick(names);
  const taken = names.filter((name) => name === changed || chance.percent(50));
  return Object.fromEntries(
    taken.map((name) => {
      const gzip = chance.percent(20);
      let bytes: Uint8Array = Buffer.from(name === changed ? mutatedText(name, chance) : sound[name]);
      if (gzip) bytes = Bun.gzipSync(Uint8Array.from(bytes));
      if (name === changed && chance.percent(gzip ? 50 : 30)) bytes = mutatedBytes(bytes, chance);
      return [gzip ? `${name}.gz` : name, bytes];
    }),
  );
}

function mutatedText(name: string, chance: Chance): string {
  const lines = sound[name].split('\n');
  const at = chance.below(lines.length);
  if (name.endsWith('.jsonl') && lines[at] !== '') {
    let value: unknown = JSON.parse(lines[at]);
    for (let times = 1 + chance.below(3); times > 0; times--) value = mutatedJson(value, chance);
    lines[at] = textOf(value);
  } else if (name.endsWith('.csv')) {
    const cells = lines[at].split(',');
    cells[chance.below(cells.length)] = chance.pick([
      '',
      '"',
      '"a\nb"',
      "'",
      '\u0000',
      '1e999',
      '-1',
      'x'.repeat(300),
      'ü',
      '=1+1',
      ' ',
    ]);
    lines[at] = cells.join(chance.percent(90) ? ',' : ';');
  }
  return lines.join(chance.percent(90) ? '\n' : '\r\n');
}

describe('an import', () => {
  test(`an import accepts or refuses ${CASES} folders with a mutated file, seed ${SEED}`, async () => {
    const chance = new Chance(SEED);
    for (let at = 0; at < CASES; at++) {
      const files = mutatedFiles(chance);
      const strict = chance.percent(20);
      const outcome = await withFolder(files, (folder) => importInto(server, folder, strict)).catch(
        (error: unknown) => error,
      );
      const input = Object.fromEntries(
        Object.entries(files).map(([name, bytes]) => [
          name,
          Buffer.from(bytes).toString('base64').slice(0, 20_000),
        ]),
      );
      const is_told =
        Array.isArray(outcome) ||
        outcome instanceof StartupError ||
        (outcome instanceof ServiceError && outcome.status < 500);
      expect({ at, is_told, outcome: is_told ? '' : outcome, input: is_told ? '' : input }).toEqual({
        at,
        is_told: true,
        outcome: '',
        input: '',
      });
      if (Array.isArray(outcome)) for (const line of outcome) expect(line.length).toBeLessThan(10_000);
    }
    expect((await server.post('/v2/farcaster/casts/feed/popular', { top_k: 3 })).status).toBe(200);
  }, 3_600_000);

  test('an import of mutated files leaves data that can be loaded unchanged', async () => {
    const before = digest(server.service.state, PROBES);
    const data = temporaryFolder('fuzz');
    const { store, alpha } = server.service;
    const { trend, applied_at } = server.service.state;
    await store.backup(data, async () => [{ kind: 'trend', numbers: trend.numbers(), seq: 0, applied_at }]);
    expect(alpha.community).toBeDefined();
    await using again = await openTestServer({ data });
    expect(digest(again.service.state, PROBES)).toEqual(before);
  });
});

test(`a start drops ${Math.ceil(CASES / 10)} mutated checkpoints and reads all stored changes, seed ${SEED}`, async () => {
  const chance = new Chance(SEED);
  const place = new Place();
  const first = await place.open();
  await place.contend(first, SEED);
  await write(first);
  const before = digest(first.service.state, PROBES);
  await place.close(first);
  const [name] = checkpointsIn(place.data);
  const file = join(place.data, name);
  const whole = readFileSync(file);
  for (let at = 0; at < CASES / 10; at++) {
    let bytes: Uint8Array = whole;
    for (let times = 1 + chance.below(3); times > 0; times--) bytes = mutatedBytes(bytes, chance);
    writeFileSync(file, bytes);
    const again = await place.open({ opening: { writes_checkpoints: false } });
    expect(digest(again.service.state, PROBES)).toEqual(before);
    await place.close(again);
  }
  await place.end();
}, 3_600_000);
