import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { killAll, type ServiceProcess, startService } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { call, pageOf, roleOf } from './processes.ts';
import { item, until } from './support.ts';

afterAll(killAll);
const folder = temporaryFolder('fail-over');

/** Stores items through a process until one is refused, and returns the acknowledged ones. */
async function store(service: ServiceProcess, names: readonly string[]): Promise<string[]> {
  const stored: string[] = [];
  for (const name of names) {
    const answer = await call(service, 'POST', '/v2/farcaster/items', [item(name)]);
    if (answer?.status === 200) stored.push(name);
  }
  return stored;
}

async function startNodes(count: number): Promise<ServiceProcess[]> {
  const env = {
    FEEDLOOM_DATABASE_URL: await emptyDatabase(),
    FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-test-cluster',
  };
  const nodes: ServiceProcess[] = [];
  for (let number = 0; number < count; number++) {
    nodes.push(await startService(join(folder, crypto.randomUUID()), { env }));
  }
  return nodes;
}

test('when the leader is killed, another node leads and has every acknowledged write', async () => {
  const [leader, one, two] = await startNodes(3);
  const stored = await store(one, ['a', 'b', 'c']);
  stored.push(...(await store(two, ['d', 'e'])), ...(await store(leader, ['f'])));
  expect(stored).toHaveLength(6);
  await leader.crash();
  const roles = await until(
    () => Promise.all([roleOf(one), roleOf(two)]),
    (found) => found.includes('leader'),
  );
  expect(roles.toSorted()).toEqual(['follower', 'leader']);
  const follower = roles[0] === 'follower' ? one : two;
  await until(
    () => store(follower, ['g']),
    (acknowledged) => acknowledged.length === 1,
  );
  for (const node of [one, two]) expect((await pageOf(node)).toSorted()).toEqual([...stored, 'g']);
});

test('a leader that was paused stores nothing after it was replaced, and follows by itself', async () => {
  const [leader, other] = await startNodes(2);
  await store(leader, ['a', 'b', 'c']);
  const seen = await pageOf(leader, { user_id: 'viewer', top_k: 1, impression_count: 1 });
  process.kill(leader.pid, 'SIGSTOP');
  try {
    await until(
      () => roleOf(other),
      (role) => role === 'leader',
    );
    await store(other, ['d']);
    seen.push(...(await pageOf(other, { user_id: 'viewer', top_k: 1, impression_count: 1 })));
  } finally {
    process.kill(leader.pid, 'SIGCONT');
  }
  // Strong reads: the first answer after the pause already has what the other node stored.
  const rest = await pageOf(leader, { user_id: 'viewer', impression_count: 10 });
  expect([...seen, ...rest].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  await until(
    () => roleOf(leader),
    (role) => role === 'follower',
  );
  await until(
    () => store(leader, ['e']),
    (acknowledged) => acknowledged.length === 1,
  );
  for (const node of [leader, other])
    expect((await pageOf(node)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
});
