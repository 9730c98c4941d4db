import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ErrorBody } from './support/client.ts';
import { canMount, type Mounted, mountSmall } from './support/mounted.ts';
import { DidNotStart, killAll, type ServiceProcess, startService } from './support/service-process.ts';

afterAll(killAll);

/** 3 MiB: room for an empty database and a few hundred items. */
const SIZE_KIB = 3 * 1024;
const BLOCK = Buffer.alloc(4096);
/** Room for a few writes, but not for a checkpoint of 2,000 users. */
const ROOM_BLOCKS = 192;

const mountable = canMount();
// Skipped if the tests may not mount a file system, which is needed for a full or read-only disk.
const onMount = mountable ? describe : describe.skip;

const IS_FULL = /the disk of the data folder .* is full .*\[disk_full\]\n.*free some space/;

function item(index: number): object {
  const item_id = `item-${index}`;
  return { item_id, author_id: 'author', created_at: 1_700_000_000 + index, text: 'x'.repeat(2_000) + index };
}

/**
 * Fills the disk. @returns a function that frees the space
 * @param blocks_left number of 4 KiB blocks to leave free
 */
function fill(folder: string, blocks_left = 0): () => void {
  const file = join(folder, 'ballast');
  const descriptor = openSync(file, 'w');
  try {
    for (;;) writeSync(descriptor, BLOCK);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
    ftruncateSync(descriptor, fstatSync(descriptor).size - blocks_left * BLOCK.length);
  } finally {
    closeSync(descriptor);
  }
  return () => rmSync(file);
}

onMount('a full disk', () => {
  let mounted: Mounted;
  let service: ServiceProcess;
  afterEach(async () => {
    await killAll();
    mounted.unmount();
  });

  async function start(): Promise<Client> {
    service = await startService(join(mounted.folder, 'data'));
    return new Client(service.address);
  }

  test('a full disk refuses writes and serves reads until there is space again, and loses no acknowledged write', async () => {
    mounted = mountSmall(SIZE_KIB)!;
    let client = await start();
    const stored: number[] = [];
    const post = async (index: number) => {
      const answer = await client.post<ErrorBody>('items', item(index));
      if (answer.status === 200) stored.push(index);
      return answer;
    };
    for (let index = 0; index < 40; index++) expect((await post(index)).status).toBe(200);

    const free = fill(mounted.folder);
    for (let index = 100; index < 110; index++) {
      const { status, headers, body } = await post(index);
      expect([status, body.code]).toEqual([503, 'store_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const seen = { user_id: 'viewer', top_k: 5, impression_count: 5 };
    expect((await client.feed('popular', seen)).status).toBe(503);
    expect((await client.delete('items', 'item-3')).status).toBe(503);
    expect((await client.delete('users', 'author')).status).toBe(503);
    expect(await client.page('popular', { user_id: 'viewer', top_k: 1_000 })).toHaveLength(stored.length);
    expect((await client.get('items', 'item-3')).status).toBe(200);
    expect(await service.logged('store_unavailable')).toContain('full');

    free();
    for (let index = 200; index < 210; index++) expect((await post(index)).status).toBe(200);
    const page = await client.page('popular', seen);
    await service.crash();
    client = await start();
    const left = await client.page('popular', { user_id: 'viewer', top_k: 1_000 });
    expect([...page, ...left].sort()).toEqual(stored.map((index) => `item-${index}`).sort());
  });

  test('a disk that stays full lets the service stop, which reports that the purge failed', async () => {
    mounted = mountSmall(SIZE_KIB)!;
    let client = await start();
    expect((await client.post('items', [item(1), item(2)])).status).toBe(200);
    expect((await client.post('users', { user_id: 'gone' })).status).toBe(200);
    expect((await client.delete('users', 'gone')).status).toBe(200);
    const free = fill(mounted.folder);
    expect(await service.stop()).toBe(2);
    expect(await service.stderr).toContain('could not be removed');
    free();
    client = await start();
    expect(await client.page('popular', { top_k: 10 })).toHaveLength(2);
    expect(await service.stop()).toBe(0);
  });

  test('a disk without room for checkpoints still accepts writes', async () => {
    mounted = mountSmall(8 * 1024)!;
    const data = join(mounted.folder, 'data');
    const env = { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' };
    service = await startService(data, { env });
    const client = new Client(service.address);
    const refused = () => service.log.some((line) => line.includes('must stay free'));
    const written = () => service.log.some((line) => line.includes('checkpoint written'));
    const users = Array.from({ length: 2_000 }, (_, at) => ({ user_id: `${'x'.repeat(240)}-${at}` }));
    expect((await client.post('users', users)).status).toBe(200);
    while (!written()) await Bun.sleep(5);
    fill(mounted.folder, ROOM_BLOCKS);
    // So many that the next checkpoint is due.
    const more = Array.from({ length: 200 }, (_, at) => ({ user_id: `more-${at}` }));
    expect((await client.post('users', more)).status).toBe(200);
    while (!refused()) await Bun.sleep(5);
    expect((await client.post('users', { user_id: 'last' })).status).toBe(200);
    expect(await client.page('popular', { top_k: 5 })).toEqual([]);
    await service.crash();
    const again = await startService(data, { env: { FEEDLOOM_CHECKPOINT_CHANGES: '0' } });
    for (const user_id of ['more-199', 'last']) {
      expect((await new Client(again.address).get('users', user_id)).status).toBe(200);
    }
    // The stop removes rows that are not needed any more. If the disk has no room for that, it says so.
    const exit_code = await again.stop();
    expect([0, 2]).toContain(exit_code);
    if (exit_code === 2) expect(await again.stderr).toContain('could not be removed');
  });

  for (const [what, end] of [
    ['after a clean stop', () => service.stop()],
    ['after a crash', () => service.crash()],
  ] as const) {
    test(`a start on ${what} reports the fault or serves reads, and loses nothing`, async () => {
      mounted = mountSmall(SIZE_KIB)!;
      const data = join(mounted.folder, 'data');
      const items = Array.from({ length: 20 }, (_, index) => item(index));
      expect((await (await start()).post('items', items)).status).toBe(200);
      await end();
      const all = { user_id: 'viewer', top_k: 1_000 };
      for (const blocks_left of [0, 1, 8, 10]) {
        const free = fill(mounted.folder, blocks_left);
        const outcome = await startService(data).catch((error: unknown) => error as DidNotStart);
        if (outcome instanceof DidNotStart) {
          expect([blocks_left, outcome.exit_code, outcome.stderr]).toEqual([
            blocks_left,
            2,
            expect.stringMatching(IS_FULL),
          ]);
          expect(outcome.stderr).not.toContain('backup');
        } else {
          expect(await new Client(outcome.address).page('popular', all)).toHaveLength(items.length);
          await outcome.crash();
        }
        free();
      }
      const client = await start();
      expect(await client.page('popular', all)).toHaveLength(items.length);
      expect((await client.post('items', item(100))).status).toBe(200);
      expect(await service.stop()).toBe(0);
    });
  }

  test('a first start on a full disk reports the fault, and leaves nothing that blocks the next start', async () => {
    mounted = mountSmall(SIZE_KIB)!;
    const data = join(mounted.folder, 'data');
    for (const blocks_left of [0, 24]) {
      const free = fill(mounted.folder, blocks_left);
      const outcome = await startService(data).catch((error: unknown) => error as DidNotStart);
      expect(outcome).toMatchObject({ exit_code: 2, stderr: expect.stringMatching(IS_FULL) });
      free();
    }
    const client = await start();
    expect((await client.post('items', item(1))).status).toBe(200);
  });

  test('a full disk lets the service stop cleanly if there is nothing to purge', async () => {
    mounted = mountSmall(SIZE_KIB)!;
    const client = await start();
    expect((await client.post('items', [item(1)])).status).toBe(200);
    fill(mounted.folder);
    expect(await service.stop()).toBe(0);
  });
});

onMount('a read-only file system', () => {
  async function refusal(data: string): Promise<DidNotStart> {
    const outcome = await startService(data).catch((error: unknown) => error);
    if (!(outcome instanceof DidNotStart)) throw new Error('the service started');
    return outcome;
  }

  for (const [what, end] of [
    ['after a clean stop', (service: ServiceProcess) => service.stop()],
    ['after a crash', (service: ServiceProcess) => service.crash()],
    ['with no data yet', undefined],
  ] as const) {
    test(`a disk is refused at the start ${what}, with a remedy`, async () => {
      const mounted = mountSmall(SIZE_KIB)!;
      try {
        const data = join(mounted.folder, 'data');
        if (end !== undefined) {
          const service = await startService(data);
          await new Client(service.address).post('items', item(1));
          await end(service);
        }
        mounted.setWritable(false);
        const { exit_code, stderr } = await refusal(data);
        expect(exit_code).toBe(2);
        expect(stderr).toContain(`the data folder '${data}' cannot be written`);
        expect(stderr).toContain('[data_unwritable]');
        expect(stderr).toContain('--data');
      } finally {
        await killAll();
        mounted.unmount();
      }
    });
  }
});
