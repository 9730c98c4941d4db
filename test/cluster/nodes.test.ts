import { describe, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusal } from '../store/engines.ts';
import { editAt } from '../support/edit.ts';
import { START } from '../support/service.ts';
import { testCluster as it, item, openCluster, until } from './support.ts';

const ITEMS = '/v2/farcaster/items';

describe('nodes on one database', () => {
  it('the first node leads and later ones follow', async (cluster) => {
    const first = await cluster.start();
    const second = await cluster.start();
    expect([await first.role(), await second.role()]).toEqual(['leader', 'follower']);
  });

  it('a follower has what was stored before its start, and what is stored later', async (cluster) => {
    const leader = await cluster.start();
    await leader.post(ITEMS, [item('before')]);
    const follower = await cluster.start();
    expect(await follower.page({})).toEqual(['before']);
    await leader.post(ITEMS, [item('after')]);
    expect((await follower.page({})).sort()).toEqual(['after', 'before']);
  });

  it('an acknowledged write at the leader is on the next page of a follower', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    for (let number = 1; number <= 20; number++) {
      const { status } = await leader.post(ITEMS, [item(`item${number}`)]);
      expect([status, await follower.page({ top_k: 100 })]).toEqual([
        200,
        expect.arrayContaining([`item${number}`]),
      ]);
    }
  });

  it('a follower answers like the leader, with the same scores for the same seed', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    await leader.post(
      ITEMS,
      Array.from({ length: 30 }, (_, at) => item(`item${at}`, { author_id: `a${at % 7}` })),
    );
    const acts = Array.from({ length: 60 }, (_, at) => ({
      user_id: `user${at % 9}`,
      item_id: `item${(at * 7) % 30}`,
      event_type: 'like',
    }));
    await leader.post('/v2/farcaster/interactions', acts);
    for (const feed_type of ['for-you', 'popular']) {
      const request = { user_id: 'user1', seed: 7, top_k: 20 };
      expect(await follower.page(request, feed_type)).toEqual(await leader.page(request, feed_type));
    }
  });

  it('when the leader stops, a follower leads and has everything', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    await leader.post(ITEMS, [item('one')]);
    await cluster.stop(leader);
    await until(
      () => follower.role(),
      (role) => role === 'leader',
    );
    expect((await follower.post(ITEMS, [item('two')])).status).toBe(200);
    expect((await follower.page({})).sort()).toEqual(['one', 'two']);
  });
});

it('a node with an empty disk copies the checkpoint of the leader', async (cluster) => {
  const settings = { checkpoint_changes: 1_000_000 };
  const leader = await cluster.start(settings);
  await leader.post(ITEMS, [item('before')]);
  await leader.running.service.checkpoints?.writeNow();
  await leader.post(ITEMS, [item('after')]);
  const follower = await cluster.start(settings);
  const { loaded, checkpoints } = follower.running.service;
  expect([loaded.checkpoint_seq > 0, loaded.checkpoint_seq]).toEqual([true, checkpoints?.seq ?? -1]);
  expect((await follower.page({})).sort()).toEqual(['after', 'before']);
  const { data } = follower.running.service.settings;
  const copied = readdirSync(data).filter((name) => name.includes('checkpoint'));
  expect(copied).not.toBeEmpty();
  for (const name of copied) expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
});

it('a node that started before the first checkpoint keeps that checkpoint when it leads', async (cluster) => {
  const settings = { checkpoint_changes: 1_000_000 };
  const leader = await cluster.start(settings);
  await leader.post(ITEMS, [item('a')]);
  const follower = await cluster.start(settings);
  await leader.running.service.checkpoints?.writeNow();
  const recorded = () => cluster.sql("select value from meta where name = 'checkpoint'");
  const [{ value }] = await recorded();
  await cluster.stop(leader);
  await until(
    () => follower.role(),
    (role) => role === 'leader',
  );
  expect(await recorded()).toEqual([{ value }]);
  expect(follower.running.service.checkpoints?.seq).toBe(JSON.parse(String(value)).seq);
});

it('every node lists all nodes, and counts what it forwards', async (cluster) => {
  const leader = await cluster.start();
  const follower = await cluster.start();
  await follower.post(ITEMS, [item('a')]);
  const listed = (node: typeof leader) => node.call('GET', '/api/nodes');
  for (const node of [leader, follower]) {
    const { body } = await until(
      () => listed(node),
      (answer) =>
        answer.body.data.length === 2 &&
        answer.body.data.every((one: { applied_seq: number }) => one.applied_seq > 0),
    );
    const by_url = new Map(body.data.map((one: { url: string; role: string }) => [one.url, one.role]));
    expect(by_url).toEqual(
      new Map([
        [leader.address, 'leader'],
        [follower.address, 'follower'],
      ]),
    );
  }
  for (const [scope, urls] of [
    ['feed:read', [null, null]],
    ['ingest:write', [null, null]],
    ['config:write', [follower.address, leader.address].sort()],
  ] as const) {
    const { keys } = leader.running.service.store;
    const { key } = await keys.create('other', [scope], editAt(START));
    const { body } = await leader.call('GET', '/api/nodes', undefined, { authorization: `Bearer ${key}` });
    const seen = body.data.map(({ url }: { url: string | null }) => url).sort();
    expect([scope, seen]).toEqual([scope, urls]);
  }
  const metrics = await (await fetch(`${follower.address}/metrics`)).text();
  expect(metrics).toContain('feedloom_node_leader 0');
  expect(metrics).toMatch(/feedloom_node_forwarded_total [1-9]/);
});

describe('a process that does not fit the cluster is refused', () => {
  it('without the secret, as a second process always was', async (cluster) => {
    await cluster.start();
    expect(await refusal(cluster.start({ cluster_secret: undefined }))).toMatchObject({
      code: 'data_in_use',
    });
  });

  it('with the secret, while a process without it serves the data', async (cluster) => {
    await cluster.start({ cluster_secret: undefined });
    expect(await refusal(cluster.start())).toMatchObject({ code: 'data_in_use' });
  });

  test.each([
    ['cluster_secret_differs', { cluster_secret: 'another-secret' }],
    ['cluster_settings_differ', { geo_radius_km: 1 }],
    ['cluster_plugins_differ', { plugins: `${import.meta.dir}/../http/acme-plugin.ts` }],
  ])('%s', async (code, settings) => {
    await using cluster = await openCluster();
    const { address } = await cluster.start();
    const error = await refusal(cluster.start(settings));
    expect(error).toMatchObject({ code, remedy: expect.any(String) });
    expect(error.message).toContain(address);
  });

  it('with a secret but no database to share', async (cluster) => {
    const refused = await refusal(cluster.start({ database_url: undefined }));
    expect(refused).toMatchObject({ code: 'bad_setting' });
  });
});
