import { afterEach, expect, test } from 'bun:test';
import { control } from './setup-plugin.ts';
import { API_KEY, item, openCluster, SECRET, type TestNode, until } from './support.ts';

const plugins = `${import.meta.dir}/setup-plugin.ts`;
const working = control.setUp;

afterEach(() => {
  control.setUp = working;
});

/** Makes a node load its state again, which never ends. */
async function loadsWithoutEnd(node: TestNode): Promise<void> {
  const loads = Promise.withResolvers<void>();
  control.setUp = () => {
    loads.resolve();
    return new Promise(() => {});
  };
  node.running.service.cluster?.fail('the test takes the lead away');
  await loads.promise;
}

test('a stop while a node loads its state again does not wait for the load', async () => {
  await using cluster = await openCluster();
  const node = await cluster.start({ plugins });
  await loadsWithoutEnd(node);
  await cluster.stop(node);
});

test('a node that loads its state again answers other nodes with 503, as it answers clients', async () => {
  await using cluster = await openCluster();
  const node = await cluster.start({ plugins });
  await loadsWithoutEnd(node);
  const headers = { 'x-feedloom-cluster': SECRET };
  for (const path of ['/internal/shown', '/v2/farcaster/items']) {
    const { status, body } = await node.call('POST', path, {}, headers);
    expect([path, status, body.code]).toEqual([path, 503, 'loading']);
  }
});

test('a write whose body still arrives when a follower loads its state again is stored by the leader', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start({ plugins });
  const follower = await cluster.start({ plugins });
  const authorization = `Bearer ${API_KEY}`;
  const sending = new TransformStream<string, string>();
  const body = sending.readable.pipeThrough(new TextEncoderStream());
  const sent = fetch(`${follower.address}/v2/farcaster/items`, {
    method: 'POST',
    headers: { authorization },
    body,
  });
  const writer = sending.writable.getWriter();
  const text = JSON.stringify([item('one')]);
  await writer.write(text.slice(0, 9));
  await until(
    async () => (await fetch(`${follower.address}/metrics`, { headers: { authorization } })).text(),
    (metrics) => /^feedloom_request_body_bytes 9$/m.test(metrics),
  );
  await loadsWithoutEnd(follower);
  await writer.write(text.slice(9));
  await writer.close();
  expect((await sent).status).toBe(200);
  expect(await leader.page({})).toEqual(['one']);
});

test('a stop while a node waits for the next attempt to load closes the former session only once', async () => {
  await using cluster = await openCluster();
  const node = await cluster.start({ plugins });
  const { store, cluster: former } = node.running.service;
  let closed_count = 0;
  const close = store.close.bind(store);
  store.close = () => {
    closed_count++;
    return close();
  };
  const failed = Promise.withResolvers<void>();
  control.setUp = () => {
    failed.resolve();
    return Promise.reject(new Error('the test makes the setup fail'));
  };
  former?.fail('the test takes the lead away');
  await failed.promise;
  await cluster.stop(node);
  expect(closed_count).toBe(1);
});

test('a node that lost the lead loads its state again and serves', async () => {
  await using cluster = await openCluster();
  const node = await cluster.start({ plugins });
  node.running.service.cluster?.fail('the test takes the lead away');
  const ready = await until(
    () => node.call('GET', '/readyz'),
    ({ status, body }) => status === 200 && body.role === 'leader',
  );
  expect(ready.body.role).toBe('leader');
});
