import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { purgeCommunity } from '../../src/community.ts';
import { token, wallet } from '../alpha/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { item, openCluster, until } from './support.ts';

const TEST_MS = 120_000;
const USER = 'user-who-is-erased';

const folder = temporaryFolder('former-checkpoints');

/** The erased identifiers that files of a folder contain. */
function found(data: string): string[] {
  const texts = readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1'));
  return [wallet(1), USER].filter((id) => texts.some((text) => text.includes(id)));
}

function age(data: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  for (const name of readdirSync(data)) utimesSync(join(data, name), at, at);
}

test(
  'a node that no longer leads removes its checkpoints once they were replaced',
  async () => {
    const [data, other] = [join(folder, 'former-leader'), join(folder, 'leader')];
    await using cluster = await openCluster();
    const settings = { checkpoint_changes: 1, checkpoint_seconds: 0 };
    const former = await cluster.start({ ...settings, data });
    const event = { wallet_address: wallet(1), item_id: token(1), event_type: 'mint' };
    expect((await former.post('/base/events', event)).status).toBe(200);
    expect((await former.post('/v2/farcaster/items', item('post', { author_id: USER }))).status).toBe(200);
    const { state, alpha } = former.running.service;
    const seqs = [state.seq, alpha.community!.state.seq];
    // Files that are not recorded yet go at the stop.
    await until(
      () =>
        cluster.sql(
          `select m.value from meta m where m.name = 'checkpoint'
           union all select w.value from feedloom_wallets.meta w where w.name = 'checkpoint'`,
        ),
      (rows) => rows.length === 2 && rows.every(({ value }, at) => JSON.parse(String(value)).seq >= seqs[at]),
    );
    await cluster.stop(former);
    expect(found(data)).toEqual([wallet(1), USER]);
    const leader = await cluster.start({ ...settings, data: other });
    expect((await leader.call('DELETE', `/base/wallets/${wallet(1)}`)).status).toBe(200);
    expect((await leader.call('DELETE', `/v2/farcaster/users/${USER}`)).status).toBe(200);
    const { service } = leader.running;
    await Promise.all([purgeCommunity(service.alpha.community!), purgeCommunity(service)]);
    expect(found(other)).toEqual([]);

    // New files may be of a checkpoint that is being written.
    const young = await cluster.start({ data });
    expect(found(data)).toEqual([wallet(1), USER]);
    await cluster.stop(young);
    age(data, 7_200);
    const old = await cluster.start({ data });
    expect(await old.role()).toBe('follower');
    await until(
      async () => found(data),
      (ids) => ids.length === 0,
    );
  },
  TEST_MS,
);
