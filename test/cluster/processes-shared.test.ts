import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { monotonicMs } from '../../src/clock.ts';
import { startService } from '../simulation/support/service-process.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { Group } from './group.ts';
import { call, pageOf } from './processes.ts';
import { item, until } from './support.ts';

const ITEMS = '/v2/farcaster/items';
const POPULAR = '/v2/farcaster/feeds/popular';

test('processes of one machine and a node of another one are one cluster', async () => {
  const env = {
    FEEDLOOM_DATABASE_URL: await emptyDatabase(),
    FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-test-cluster',
    FEEDLOOM_ADVERTISE_URL: 'http://localhost:1',
  };
  await using group = await Group.start(2, env);
  const elsewhere = await startService(join(group.folder, 'elsewhere'), {
    env: { ...env, FEEDLOOM_ADVERTISE_URL: '' },
  });
  expect((await call(elsewhere, 'POST', ITEMS, [item('a')]))?.status).toBe(200);
  expect((await group.post(ITEMS, [item('b')])).status).toBe(200);
  for (const { body } of await group.fromAll(() => group.post(POPULAR, {})))
    expect(body.body.map(({ item_id }: { item_id: string }) => item_id).toSorted()).toEqual(['a', 'b']);
  expect((await pageOf(elsewhere)).toSorted()).toEqual(['a', 'b']);
  const listed = await until(
    () => group.call('GET', '/api/nodes'),
    ({ body }) => body.data.length === 3,
  );
  const places = listed.body.data.map(({ process, url }: { process: number | null; url: string }) => [
    process,
    new URL(url).hostname,
  ]);
  expect(places.toSorted()).toEqual([
    [null, '127.0.0.1'],
    [1, 'localhost'],
    [2, 'localhost'],
  ]);
  expect(await elsewhere.stop()).toBe(0);
});

test('a separate port for metrics is shared too', async () => {
  await using group = await Group.start(2, { FEEDLOOM_METRICS_PORT: '0' });
  const addresses = new Set(group.lines.flatMap(({ metrics_address }) => metrics_address ?? []));
  expect(addresses.size).toBe(1);
  for (let asked = 0; asked < 10; asked++) {
    const answer = await fetch(`${[...addresses][0]}/metrics`, { keepalive: false });
    const text = await answer.text();
    for (const process of [1, 2]) expect(text).toContain(`feedloom_process_up{process="${process}"} 1\n`);
  }
  expect((await group.call('GET', '/metrics')).status).toBe(404);
});

test('all processes together admit not more than the rate of a key, and writes that are forwarded count once', async () => {
  const [rate, processes] = [10, 2];
  await using group = await Group.start(processes, { FEEDLOOM_RATE_LIMIT: String(rate) });
  // Each process admits its part as soon as it knows of the other one. The key that finds that out has the same rate.
  const key = await group.newKey();
  await until(
    () => group.fromAll(() => group.call('GET', '/api/nodes', undefined, key)),
    (answers) => {
      const admitted = answers.filter(({ status }) => status === 200);
      return admitted.length >= rate && admitted.every(({ body }) => body.data.length === processes);
    },
  );
  const start_ms = monotonicMs();
  const sent = Array.from({ length: 60 }, (_, at) =>
    at % 2 === 0 ? group.post(ITEMS, [item('a')]) : group.post(POPULAR, {}),
  );
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  const most = rate + ((monotonicMs() - start_ms) / 1_000) * rate + processes;
  const admitted = statuses.filter((status) => status === 200).length;
  expect(admitted).toBeGreaterThanOrEqual(rate);
  expect(admitted).toBeLessThanOrEqual(most);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});
