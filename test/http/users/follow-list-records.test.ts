import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { ConnectorHost, ConnectorRecord } from '../../../src/plugin/index.ts';
import { openTestServer, START } from '../../support/service.ts';

const PLUGIN = join(import.meta.dir, '..', 'feeding-plugin.ts');

const follow = (target_user_id: string, timestamp: number): ConnectorRecord => ({
  kind: 'follow',
  record: { user_id: 'ann', target_user_id, timestamp },
});
const list = (target_user_ids: unknown, timestamp: number): ConnectorRecord => ({
  kind: 'follow_list',
  record: { user_id: 'ann', target_user_ids, timestamp },
});

test('a connector replaces the whole list of follows of a user, in the order of its records', async () => {
  const running = Promise.withResolvers<ConnectorHost>();
  globalThis.feeding = {
    run: (host) => {
      running.resolve(host);
      return new Promise((resolve) => host.signal.addEventListener('abort', () => resolve()));
    },
  };
  const connect = ['acme/feeding_v1.0.0'];
  await using server = await openTestServer({ settings: { plugins: PLUGIN, connect } });
  server.service.connectors.start();
  const { emit } = await running.promise;
  const follows = async () => (await server.get('/v2/farcaster/users/ann')).body.follows;

  const first = [follow('ben', START - 50), follow('cid', START - 10), list(['dan', 'ann'], START - 20)];
  expect(await emit(first, '1')).toMatchObject({ accepted: 3, rejected_count: 0 });
  expect((await follows()).sort()).toEqual(['cid', 'dan']);

  // A list from before the last one changes nothing, and a later one ends everything that it does not name.
  await emit([list(['ben'], START - 30), list(['eve'], START - 5), follow('fay', START - 4)], '2');
  expect((await follows()).sort()).toEqual(['eve', 'fay']);

  const bad = await emit([list('eve', START), { kind: 'follow_list', record: { target_user_ids: [] } }], '3');
  expect(bad).toMatchObject({ accepted: 0, rejected_count: 2 });
  expect(bad.rejected.map(({ detail }) => detail).join()).toContain('target_user_ids');
});
