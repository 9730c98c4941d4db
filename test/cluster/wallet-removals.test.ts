import { afterAll, expect, spyOn, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { purgeCommunity } from '../../src/community.ts';
import { token, wallet } from '../alpha/support.ts';
import { killAll, type ServiceProcess, startService } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { call, roleOf } from './processes.ts';
import { type Answer, openCluster, until } from './support.ts';

/** A change of the leader takes about ten seconds on PostgreSQL, and loading again some more. */
const TEST_MS = 120_000;
const [KEPT, DELETED] = [token(1), token(2)];
const ERASED = wallet(1);
const NAME_OF_DELETED = 'the name of a token that is deleted';
afterAll(killAll);
const folder = temporaryFolder('wallet-removals');

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<Pick<Answer, 'status' | 'body'> | undefined>;

/** Two wallets hold two tokens, and one of the tokens is in the catalog. */
async function trade(send: Send): Promise<void> {
  const catalog = await until(
    () => send('POST', '/base/items', [{ item_id: DELETED, name: NAME_OF_DELETED }]),
    (answer) => answer?.status === 200,
  );
  expect(catalog?.body.accepted).toBe(1);
  for (const wallet_address of [ERASED, wallet(2)])
    for (const item_id of [KEPT, DELETED]) {
      const event = { wallet_address, item_id, event_type: 'mint' };
      expect((await send('POST', '/base/events', event))?.status).toBe(200);
    }
}

/** Erases the wallet and deletes the token. */
async function removeBoth(send: Send): Promise<void> {
  for (const path of [`/base/wallets/${ERASED}`, `/base/items/${DELETED}`])
    expect((await send('DELETE', path))?.status).toBe(200);
}

const idsOf = (answer: Pick<Answer, 'body'> | undefined): string[] | undefined =>
  answer?.body.items?.map(({ itemId }: { itemId: string }) => itemId);

/** The number that a query of PostgreSQL gives; 0 if it gives no row. */
async function numberOf(database_url: string, query: string, values: string[] = []): Promise<number> {
  await using client = new SQL({ url: database_url, max: 1 });
  const [row] = await client.unsafe(query, values).values();
  return Number(row?.[0] ?? 0);
}

/** The rows of wallets on PostgreSQL that contain a text of what was removed. */
function rowsWith(database_url: string): Promise<number> {
  return numberOf(
    database_url,
    `select (select count(*) from feedloom_wallets.names where id = $1)
      + (select count(*) from feedloom_wallets.items where strpos(content, $2) > 0)`,
    [ERASED, NAME_OF_DELETED],
  );
}

/** Removals up to this one have been purged; 0 if none have. */
function purgedSeq(database_url: string): Promise<number> {
  return numberOf(database_url, "select value from feedloom_wallets.meta where name = 'purged_seq'");
}

/** The files of a folder that contain a text of what was removed: checkpoints. */
function filesWith(data: string): string[] {
  return readdirSync(data).filter((name) => {
    // A file may be removed at this moment.
    const bytes = (() => {
      try {
        return readFileSync(join(data, name));
      } catch {
        return Buffer.from('');
      }
    })();
    return bytes.includes(ERASED) || bytes.includes(NAME_OF_DELETED);
  });
}

const SECRET = { FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-test-cluster' };

longTest(
  'a wallet and a token that are removed stay so when the leader is killed, and the next leader purges their rows and checkpoints',
  async () => {
    const database_url = await emptyDatabase();
    const checkpoints = { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' };
    const env = { FEEDLOOM_DATABASE_URL: database_url, ...SECRET, ...checkpoints };
    const leader = await startService(join(folder, 'leader'), { env });
    const next = await startService(join(folder, 'next'), { env });
    await trade((...request) => call(leader, ...request));
    const data = join(folder, 'next');
    expect(await rowsWith(database_url)).toBeGreaterThan(0);
    const expectGone = async (): Promise<void> => {
      for (const path of ['/base/feed/popular', `/base/feed/for-you/${ERASED}`])
        expect(idsOf(await call(next, 'GET', path))).toEqual([KEPT]);
    };
    await removeBoth((...request) => call(leader, ...request));
    await leader.crash();
    await until(
      () => roleOf(next),
      (role) => role === 'leader',
    );
    await expectGone();
    await until(
      async () => (await rowsWith(database_url)) + filesWith(data).length,
      (found) => found === 0,
    );
    await expectGone();
    for (const path of [`/base/wallets/${ERASED}`, `/base/items/${DELETED}`])
      expect((await call(next, 'DELETE', path))?.status).toBe(404);
  },
  TEST_MS,
);

test('a wallet and a token that are removed are gone at once at every node', async () => {
  await using cluster = await openCluster();
  const nodes = [await cluster.start(), await cluster.start()];
  const send: Send = (method, path, body) => nodes[1].call(method, path, body);
  await trade(send);
  for (const node of nodes)
    expect(idsOf(await node.call('GET', '/base/feed/popular'))?.toSorted()).toEqual(
      [KEPT, DELETED].toSorted(),
    );
  await removeBoth(send);
  for (const node of nodes) expect(idsOf(await node.call('GET', '/base/feed/popular'))).toEqual([KEPT]);
});

longTest(
  'a node that was paused while wallets were erased and purged loads its wallets again',
  async () => {
    const database_url = await emptyDatabase();
    const env = { FEEDLOOM_DATABASE_URL: database_url, ...SECRET };
    const nodes: ServiceProcess[] = [];
    for (const name of ['one', 'two', 'three']) nodes.push(await startService(join(folder, name), { env }));
    const [leader, next, paused] = nodes;
    await trade((...request) => call(leader, ...request));
    const popular = async (node: ServiceProcess) => idsOf(await call(node, 'GET', '/base/feed/popular'));
    await until(
      () => popular(paused),
      (ids) => ids?.length === 2,
    );
    process.kill(paused.pid, 'SIGSTOP');
    try {
      await removeBoth((...request) => call(leader, ...request));
      await leader.crash();
      await until(
        () => roleOf(next),
        (role) => role === 'leader',
      );
      // Until the purge has ended, the node could still follow the log, which has the removals themselves.
      await until(
        () => purgedSeq(database_url),
        (purged_seq) => purged_seq > 0,
      );
      expect(await rowsWith(database_url)).toBe(0);
    } finally {
      process.kill(paused.pid, 'SIGCONT');
    }
    await paused.logged('rows that it had not read yet were purged');
    await until(
      () => popular(paused),
      (ids) => ids?.join() === KEPT,
    );
    expect(idsOf(await call(paused, 'GET', `/base/feed/for-you/${ERASED}`))).toEqual([KEPT]);
  },
  TEST_MS,
);

test(
  'a purge of wallets does not ask how far other nodes have applied the content',
  async () => {
    await using cluster = await openCluster();
    const leader = await cluster.start();
    await trade((method, path, body) => leader.call(method, path, body));
    await removeBoth((method, path, body) => leader.call(method, path, body));
    const { alpha, cluster: node } = leader.running.service;
    if (alpha.community === undefined || node === undefined) throw new Error('there are no wallets');
    const waiting = spyOn(node, 'followersReached');
    await purgeCommunity(alpha.community);
    expect(await rowsWith(cluster.database_url)).toBe(0);
    // The regular purge of the content, which is empty, may ask at this moment.
    expect(waiting.mock.calls.filter(([seq]) => seq > 0)).toEqual([]);
  },
  TEST_MS,
);
