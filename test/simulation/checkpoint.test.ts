import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, watch } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { Client } from './support/client.ts';
import { killAll, type ServiceProcess, startService } from './support/service-process.ts';
import { expectSoundCheckpoint } from './support/sound-checkpoint.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('checkpoint');
});
afterEach(killAll);
afterAll(killAll);

const ALWAYS = { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' };
const NEVER = { FEEDLOOM_CHECKPOINT_CHANGES: '0' };
const ITEMS = 300;

const checkpoints = () => readdirSync(data).filter((name) => name.includes('.checkpoint'));

/** Items posted by a client, each acknowledged. */
async function post(client: Client, prefix: string): Promise<void> {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    item_id: `${prefix}-${index}`,
    author_id: 'author',
    created_at: 1_700_000_000 + index,
    text: `text ${index}`,
  }));
  expect((await client.post('items', items)).status).toBe(200);
}

async function itemsOf(client: Client): Promise<string[]> {
  return (await client.page('popular', { top_k: 1_000 })).sort();
}

/** Running child processes of a process, which Linux lists in a file. */
function childrenOf(pid: number): number[] {
  const told = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return told === '' ? [] : told.split(' ').map(Number);
}

/** Whether a process runs; one that has ended and was not waited for does not. */
function runs(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** The process that writes the next checkpoint, as soon as it exists. */
async function nextWriter({ pid }: ServiceProcess): Promise<number> {
  for (;;) {
    const [child] = childrenOf(pid);
    if (child !== undefined) return child;
    await Bun.sleep(1);
  }
}

const onLinux = existsSync('/proc/self/task') ? test : test.skip;

onLinux(
  'killing a checkpoint process does not affect the service, and another process takes over',
  async () => {
    const service = await startService(data, { env: ALWAYS });
    const client = new Client(service.address);
    for (const wait_ms of [0, 40, 120]) {
      await post(client, `after-${wait_ms}`);
      const writer = await nextWriter(service);
      await Bun.sleep(wait_ms);
      if (childrenOf(service.pid).includes(writer)) process.kill(writer, 'SIGKILL');
    }
    expect(await service.logged('no checkpoint could be written')).toContain('SIGKILL');
    await service.logged('checkpoint written');
    expect(await itemsOf(client)).toHaveLength(3 * ITEMS);
    expect(await service.stop()).toBe(0);
    expect(checkpoints()).toHaveLength(1);
    await expectSoundCheckpoint(data);
  },
);

onLinux('a process that writes a checkpoint ends with its service, however that ends', async () => {
  const service = await startService(data, { env: ALWAYS });
  await post(new Client(service.address), 'item');
  const writer = await nextWriter(service);
  await service.crash();
  while (runs(writer)) await Bun.sleep(1);
  const again = await startService(data, { env: NEVER });
  expect(await itemsOf(new Client(again.address))).toHaveLength(ITEMS);
  expect(await again.stop()).toBe(0);
});

test('a truncated checkpoint is reported once, and no change is lost', async () => {
  const service = await startService(data, { env: ALWAYS });
  await post(new Client(service.address), 'item');
  await service.logged('checkpoint written');
  const expected = await itemsOf(new Client(service.address));
  expect(await service.stop()).toBe(0);
  const [name] = checkpoints();
  truncateSync(join(data, name), statSync(join(data, name)).size - 1_000);
  const again = await startService(data, { env: NEVER });
  expect(again.loaded).toMatchObject({ checkpoint_seq: 0 });
  expect(again.log.filter((line) => line.includes('the checkpoint cannot be used'))).toHaveLength(1);
  expect(await itemsOf(new Client(again.address))).toEqual(expected);
  expect(await again.stop()).toBe(0);
});

const LAGGING = { ...ALWAYS, FEEDLOOM_DERIVED_LAG_MS: '100' };
const RELATED = 400;

/** Many users with likes in common, so that the file of neighbour lists has several pieces. */
async function postRelated(client: Client): Promise<void> {
  const likes = Array.from({ length: RELATED * 20 }, (_, at) => ({
    user_id: `user-${at % 100}`,
    item_id: `item-${(at * 7 + Math.floor(at / 100)) % RELATED}`,
    event_type: 'like',
    timestamp: 1_700_000_000 + at,
  }));
  const items = Array.from({ length: RELATED }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: 'author',
    created_at: 1_700_000_000,
  }));
  expect((await client.post('items', items)).status).toBe(200);
  for (let from = 0; from < likes.length; from += 1_000)
    expect((await client.post('interactions', likes.slice(from, from + 1_000))).status).toBe(200);
}

/** Resolves when a file appears whose name contains this text, even if it lasts for an instant. */
function fileAppears(text: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(data, (_, name) => {
      if (name?.includes(text) !== true) return;
      watcher.close();
      resolve();
    });
  });
}

for (const [name, ofRun] of [
  ['.checkpoint.part', longTest],
  ['.lists.part', test],
  ['.lists', longTest],
] as const) {
  ofRun(
    `a service that is killed when it has a file *${name} starts with a sound state and the same items`,
    async () => {
      const service = await startService(data, { env: LAGGING });
      const client = new Client(service.address);
      const appeared = fileAppears(name);
      await postRelated(client);
      await appeared;
      await service.crash();
      await expectSoundCheckpoint(data);
      const again = await startService(data, { env: { ...LAGGING, ...NEVER } });
      expect(again.log.filter((line) => line.includes('cannot be used'))).toEqual([]);
      const viewer = { user_id: 'user-1', top_k: 50, impression_count: 0 };
      expect(await new Client(again.address).page('for-you', viewer)).toHaveLength(50);
      expect(await again.stop()).toBe(0);
      const third = await startService(data, { env: LAGGING });
      expect(third.log.filter((line) => line.includes('cannot be used'))).toEqual([]);
      expect(await third.stop()).toBe(0);
      expect(readdirSync(data).filter((left) => left.includes('.part'))).toEqual([]);
    },
  );
}
