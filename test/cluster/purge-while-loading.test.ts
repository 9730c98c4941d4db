import { afterEach, expect, spyOn, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Checkpoints } from '../../src/checkpoint/checkpoints.ts';
import { purgeCommunity } from '../../src/community.ts';
import { NONE } from '../../src/model/key.ts';
import { token, wallet } from '../alpha/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Answer, openCluster, until } from './support.ts';

const TEST_MS = 120_000;
const [ITEM, POPULAR] = [token(1), token(2)];

const folder = temporaryFolder('purge-while-loading');
const spies: { mockRestore(): void }[] = [];

afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

/** The tokens of the popular page; undefined while the node loads. */
async function popular(node: {
  call(method: string, path: string): Promise<Answer>;
}): Promise<string[] | undefined> {
  const { body } = await node.call('GET', '/base/feed/popular');
  return body.items?.map(({ itemId }: { itemId: string }) => itemId);
}

/** Calls back once, when the wallets' checkpoint was loaded and later changes have not been read yet. */
function onceLoaded(then: () => Promise<void>): void {
  const { load } = Checkpoints.prototype;
  let is_called = false;
  const spy = spyOn(Checkpoints.prototype, 'load').mockImplementation(async function (
    this: Checkpoints,
    ...parts
  ) {
    const seq = await load.apply(this, parts);
    if (parts[0].users.names.find(wallet(1)) !== NONE && !is_called) {
      is_called = true;
      await then();
    }
    return seq;
  });
  spies.push(spy);
}

test(
  'a node that loads its wallets while deleted events are purged does not count them',
  async () => {
    const [data, later] = [join(folder, 'leader'), join(folder, 'later')];
    await using cluster = await openCluster();
    const leader = await cluster.start({ data, checkpoint_changes: 1, checkpoint_seconds: 0 });
    for (const [item_id, wallets] of [
      [ITEM, 2],
      [POPULAR, 3],
    ] as const)
      for (let number = 1; number <= wallets; number++) {
        const event = { wallet_address: wallet(number), item_id, event_type: 'mint' };
        expect((await leader.post('/base/events', event)).status).toBe(200);
      }
    expect(await popular(leader)).toEqual([POPULAR, ITEM]);
    const { community } = leader.running.service.alpha;
    if (community === undefined) throw new Error('there are no wallets');
    const { seq } = community.state;
    await until(
      () => cluster.sql(`select value from feedloom_wallets.meta where name = 'checkpoint'`),
      (rows) => rows.length === 1 && JSON.parse(String(rows[0].value)).seq >= seq,
    );
    // The node has the checkpoint from before, as one that was stopped for a while.
    cpSync(data, later, { recursive: true });
    onceLoaded(async () => {
      for (const number of [2, 3]) {
        const query = new URLSearchParams({
          wallet_address: wallet(number),
          item_id: POPULAR,
          event_type: 'mint',
        });
        expect((await leader.call('DELETE', `/base/events?${query}`)).status).toBe(200);
      }
      await purgeCommunity(community);
    });
    const joined = await cluster.start({ data: later });
    await until(
      () => popular(joined),
      (ids) => ids?.join() === [ITEM, POPULAR].join(),
    );
  },
  TEST_MS,
);
