import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../src/errors.ts';
import { refusal } from '../store/engines.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openCluster, until } from './support.ts';

test('of two nodes with other settings that start at the same moment, one is refused', async () => {
  for (let round = 0; round < 3; round++) {
    await using cluster = await openCluster();
    // The tables exist, so that both starts take the same time.
    await cluster.stop(await cluster.start());
    const starts = await Promise.allSettled([cluster.start(), cluster.start({ geo_radius_km: 1 })]);
    const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []));
    expect(refused).toHaveLength(1);
    const [error] = refused;
    if (!(error instanceof StartupError)) throw error;
    expect([error.code, error.remedy]).toEqual([
      'cluster_settings_differ',
      expect.stringContaining('geo_radius_km'),
    ]);
  }
});

test('a node whose release holds another state is refused with cluster_state_differs', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  // As if the running node were of a release that computes other things.
  const [{ facts }] = await cluster.sql('select facts from nodes');
  const changed = { ...JSON.parse(String(facts)), state: 'of-another-release' };
  await cluster.sql('update nodes set facts = $1', [JSON.stringify(changed)]);
  const error = await refusal(cluster.start());
  expect(error).toMatchObject({ code: 'cluster_state_differs', remedy: expect.stringContaining('release') });
  expect(error.message).toContain(leader.address);
});

test('a node with another version of a plugin is refused', async () => {
  const folder = temporaryFolder('versions');
  const pluginOf = (version: string) => {
    const file = join(folder, `plugin-${version}.ts`);
    writeFileSync(
      file,
      `import { definePlugin, Type } from 'feedloom/plugin';
      export default definePlugin({
        meta: { name: 'acme', version: '${version}', api: 2 },
        filters: { 'acme/any': {
          summary: 'Everything.', kind: 'inclusion', options: Type.Object({}), compile: () => () => () => true,
        } },
      });`,
    );
    return file;
  };
  await using cluster = await openCluster();
  await cluster.start({ plugins: pluginOf('1.0.0') });
  const error = await refusal(cluster.start({ plugins: pluginOf('1.0.1') }));
  expect(error).toMatchObject({ code: 'cluster_plugins_differ' });
});

test('a node that was away while another one started serves nothing beside it', async () => {
  await using cluster = await openCluster();
  await cluster.start();
  const node = await cluster.start();
  const statusOf = async () => (await node.call('GET', '/readyz')).status;
  // The other nodes count it as stopped, and one with other settings has started.
  await cluster.sql(
    `with away as (update nodes set seen_at = 0 where url = $1 returning *)
     insert into nodes (node_id, url, release, facts, applied_seq, seen_at)
     select 'other', 'http://other', release, replace(facts, '"settings":"', '"settings":"x'), 0, 1e12 from away`,
    [node.address],
  );
  await until(statusOf, (status) => status === 503);
  await cluster.sql("delete from nodes where node_id = 'other'");
  await until(statusOf, (status) => status === 200);
});

test('a node that listens on all addresses is refused until it has an address for the others', async () => {
  await using cluster = await openCluster();
  for (const host of ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '0'])
    expect(await refusal(cluster.start({ host }))).toMatchObject({
      code: 'bad_setting',
      message: `the other nodes cannot reach this one at FEEDLOOM_HOST, ${host}, which stands for all addresses of a machine`,
      remedy: expect.stringContaining('FEEDLOOM_ADVERTISE_URL'),
    });
  for (const advertise_url of ['http://0.0.0.0:3000', 'http://[::]:3000'])
    expect(await refusal(cluster.start({ advertise_url }))).toMatchObject({
      code: 'bad_setting',
      message: expect.stringContaining(`FEEDLOOM_ADVERTISE_URL, ${advertise_url},`),
    });
  await cluster.start({ host: '0.0.0.0', advertise_url: 'http://127.0.0.1:1' });
});

test('a node with the address of another one that runs is refused, and one with that of a killed node is not', async () => {
  await using cluster = await openCluster();
  const advertise_url = 'http://node.internal:3000';
  await cluster.start({ advertise_url });
  expect(await refusal(cluster.start({ advertise_url }))).toMatchObject({
    code: 'cluster_address_taken',
    message: expect.stringContaining(advertise_url),
    remedy: expect.stringContaining('FEEDLOOM_ADVERTISE_URL'),
  });
  expect(await cluster.sql('select url from nodes')).toEqual([{ url: advertise_url }]);
  // As if a node had been killed a moment ago.
  const killed = 'http://killed.internal:3000';
  await cluster.sql(
    `insert into nodes select 'killed', $1, release, facts, applied_seq, seen_at from nodes`,
    [killed],
  );
  await cluster.start({ advertise_url: killed });
});
