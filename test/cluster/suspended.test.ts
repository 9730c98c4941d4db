import { expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestServer, START } from '../support/service.ts';
import { item, openCluster, SECRET, until } from './support.ts';

const V2 = '/v2/farcaster';
const SUSPENDED_SECONDS = 20;

/** A machine that a test suspends: only its wall clock shows the time that has passed. */
async function openSuspendable(database_url: string) {
  const clock = new ManualClock(START);
  const settings = { database_url, cluster_secret: SECRET };
  const opening = { timers: new ManualTimers(), monotonicMs: () => 0 };
  return { clock, server: await openTestServer({ clock, settings, opening }) };
}

test('a leader that was suspended serves strong pages after the database has confirmed that it leads', async () => {
  await using cluster = await openCluster();
  const { clock, server } = await openSuspendable(cluster.database_url);
  await server.post(`${V2}/items`, [item('a')]);
  clock.advance(SUSPENDED_SECONDS);
  expect((await server.post(`${V2}/feeds/popular`, {})).status).toBe(200);
  await server.close();
});

test('a leader that was replaced while its machine was suspended serves no outdated page', async () => {
  await using cluster = await openCluster();
  const { clock, server } = await openSuspendable(cluster.database_url);
  await server.post(`${V2}/items`, [item('a')]);
  const other = await cluster.start();
  // Its lease has run out meanwhile.
  await cluster.sql('update leases set expires_at = 0');
  await until(
    () => other.role(),
    (role) => role === 'leader',
  );
  expect((await other.post(`${V2}/items`, [item('b')])).status).toBe(200);
  clock.advance(SUSPENDED_SECONDS);
  const { status, body } = await server.post(`${V2}/feeds/popular`, {});
  expect([status, body.code]).toEqual([503, 'store_unavailable']);
  await server.close();
});
