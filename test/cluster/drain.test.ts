import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { killAll, startService } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { call, pageOf, roleOf } from './processes.ts';
import { item, until } from './support.ts';

const ITEMS = '/v2/farcaster/items';
/** The drain lasts longer than any test, so a second signal ends it. */
const LONG_DRAIN = { FEEDLOOM_DRAIN_SECONDS: '600' };
/** A second signal is ignored within the first second, because one key press may send two. */
const SIGNALS_APART_MS = 1_000;
afterAll(killAll);
const folder = temporaryFolder('drains');

test('a leader that is stopped fails /readyz and serves all requests until a second signal, then another node leads', async () => {
  const env = {
    FEEDLOOM_DATABASE_URL: await emptyDatabase(),
    FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-test-cluster',
    ...LONG_DRAIN,
  };
  const leader = await startService(join(folder, 'leader'), { env });
  const follower = await startService(join(folder, 'follower'), { env });
  process.kill(leader.pid, 'SIGTERM');
  const refused = await until(
    () => call(leader, 'GET', '/readyz'),
    (answer) => answer?.status !== 200,
  );
  expect([refused?.status, refused?.body.code]).toEqual([503, 'shutting_down']);
  for (const [at, node] of [leader, follower].entries())
    expect((await call(node, 'POST', ITEMS, [item(`item${at}`)]))?.status).toBe(200);
  const shown = { user_id: 'viewer', impression_count: 1, top_k: 1 };
  const seen = [...(await pageOf(leader, shown)), ...(await pageOf(follower, shown))];
  expect(seen.toSorted()).toEqual(['item0', 'item1']);
  expect(await roleOf(follower)).toBe('follower');

  await Bun.sleep(SIGNALS_APART_MS);
  expect(await leader.stop()).toBe(0);
  await until(
    () => roleOf(follower),
    (role) => role === 'leader',
  );
  expect((await pageOf(follower)).toSorted()).toEqual(['item0', 'item1']);
});

test('a process stops by itself when the drain is over', async () => {
  const service = await startService(join(folder, 'short'), { env: { FEEDLOOM_DRAIN_SECONDS: '1' } });
  expect(await service.stop()).toBe(0);
  expect(await service.logged('"stopping"')).toContain('"drain_seconds":1');
});
