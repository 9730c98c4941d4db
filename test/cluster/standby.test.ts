import { expect } from 'bun:test';
import { longTest } from '../support/long.ts';
import { ReplicatedServer } from '../support/postgres/replicated-server.ts';
import { item, openCluster, until } from './support.ts';

longTest(
  'nodes that are led to a standby read nothing from it until it is promoted, and keep their state',
  async () => {
    const database = await ReplicatedServer.start('standby');
    await using cluster = await openCluster(await database.freshDatabase());
    const nodes = [await cluster.start(), await cluster.start()];
    const states = () => nodes.map(({ running }) => running.service.cluster);
    const [leader, follower] = nodes;
    await leader.post('/v2/farcaster/items', [item('old')]);
    // An acknowledged write is on the disk of the standby, which may apply it later.
    await database.pauseReplay();
    await leader.post('/v2/farcaster/items', [item('new')]);
    expect((await follower.page({})).toSorted()).toEqual(['new', 'old']);
    const before = states();
    await database.losePrimary();
    const strong = await follower.post('/v2/farcaster/feeds/popular', {});
    expect([strong.status, strong.body.code]).toEqual([503, 'store_unavailable']);
    const eventual = await follower.post('/v2/farcaster/feeds/popular', { consistency: 'eventual' });
    expect(eventual.body.body).toHaveLength(2);
    await database.promote();
    for (const node of nodes) {
      await until(
        () => node.post('/v2/farcaster/items', [item('later')]),
        ({ status }) => status === 200,
      );
      expect((await node.page({})).toSorted()).toEqual(['later', 'new', 'old']);
    }
    expect(states()).toEqual(before);
    database.close();
  },
  60_000,
);
