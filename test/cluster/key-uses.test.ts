import { expect, test } from 'bun:test';
import { openCluster, until } from './support.ts';

test('the use of a key at a follower is stored when the follower stops', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  const { keys } = leader.running.service.store;
  const { key } = await keys.create('acme', ['feed:read'], { actor: 'cli:test', now: 1_767_225_600 });
  const lastUse = async () => (await keys.list())[0].last_used_at;
  expect(await lastUse()).toBe(null);
  await until(
    () => follower.call('GET', '/api/plugins', undefined, { authorization: `Bearer ${key}` }),
    ({ status }) => status === 200,
  );
  await cluster.stop(follower);
  expect(await lastUse()).toBeGreaterThan(1_700_000_000);
});
