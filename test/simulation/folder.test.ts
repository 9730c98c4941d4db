import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { appendFileSync, cpSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { audit, UNPURGED } from './support/audit.ts';
import { Client } from './support/client.ts';
import { DidNotStart, killAll, startService } from './support/service-process.ts';

let root: string;
let data: string;
beforeEach(() => {
  root = temporaryFolder('folder');
  data = join(root, 'data');
});
afterEach(killAll);
afterAll(killAll);

test('a data folder serves one process, and others are refused with its name until it dies', async () => {
  const first = await startService(data);
  const refusal = await startService(data).catch((error: unknown) => error);
  if (!(refusal instanceof DidNotStart)) throw new Error('a second process was let in');
  expect(refusal.exit_code).toBe(2);
  expect(refusal.stderr).toContain(`in use by 'feedloom serve' (pid ${first.pid}) since `);
  expect(refusal.stderr).toContain('[data_in_use]');
  expect((await new Client(first.address).post('users', { user_id: 'somebody' })).status).toBe(200);
  await first.crash();

  const second = await startService(data);
  expect((await new Client(second.address).get('users', 'somebody')).status).toBe(200);
  const other = await startService(data).catch((error: unknown) => error);
  expect(other).toBeInstanceOf(DidNotStart);
  expect((other as DidNotStart).stderr).toContain(`(pid ${second.pid})`);
});

/** Bytes of a frame of the write-ahead log: a header and a page. */
const FRAME_BYTES = 24 + 4096;

describe('a write-ahead log with a damaged end', () => {
  const WRITES = 30;

  /** The folder of a killed service. All writes were acknowledged, one item per write. */
  async function crashed(): Promise<string> {
    const service = await startService(data);
    const client = new Client(service.address);
    for (let index = 0; index < WRITES; index++) {
      const item = {
        item_id: `item-${index}`,
        author_id: 'author',
        created_at: 1_700_000_000,
        text: `text ${index}`,
      };
      expect((await client.post('items', item)).status).toBe(200);
    }
    await service.crash();
    return join(data, 'feedloom.sqlite-wal');
  }

  /** Number of stored items, which must be the first ones. */
  async function itemsLeft(folder: string): Promise<number> {
    expect(audit(folder, UNPURGED)).toEqual([]);
    const service = await startService(folder);
    const page = await new Client(service.address).page('popular', { top_k: 1_000 });
    const expected = Array.from({ length: page.length }, (_, index) => `item-${index}`);
    expect(page.sort()).toEqual(expected.sort());
    expect(await service.stop()).toBe(0);
    return page.length;
  }

  test('a torn, uncommitted end of the write-ahead log loses nothing', async () => {
    const log = readFileSync(await crashed());
    const last_frame = log.subarray(log.length - FRAME_BYTES);
    const tails = {
      noise: crypto.getRandomValues(new Uint8Array(10_000)),
      'a frame once more': last_frame,
      'half a frame': last_frame.subarray(0, FRAME_BYTES / 2),
      zeros: new Uint8Array(3 * FRAME_BYTES),
    };
    for (const [name, tail] of Object.entries(tails)) {
      const copy = join(root, name);
      cpSync(data, copy, { recursive: true });
      appendFileSync(join(copy, 'feedloom.sqlite-wal'), tail);
      expect([name, await itemsLeft(copy)]).toEqual([name, WRITES]);
    }
  });

  test('a damaged, committed end of the write-ahead log is rolled back by whole transactions', async () => {
    await crashed();
    const flipped = join(root, 'flipped');
    cpSync(data, flipped, { recursive: true });
    const log = readFileSync(join(flipped, 'feedloom.sqlite-wal'));
    log[log.length - 100] ^= 0xff;
    writeFileSync(join(flipped, 'feedloom.sqlite-wal'), log);
    expect(await itemsLeft(flipped)).toBe(WRITES - 1);

    const cut = join(data, 'feedloom.sqlite-wal');
    truncateSync(cut, statSync(cut).size - 100);
    expect(await itemsLeft(data)).toBe(WRITES - 1);
  });
});
