import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { newAccount } from '../http/config-support.ts';
import { holdWrites, ingestPath, openCommunity } from '../http/support.ts';
import { START } from '../support/service.ts';

/** One account sends many requests for a viewer of another account: identifiers of viewers are public. */

const AT_ONCE = LIMITS.turns_waiting_max + 16;

test('an account that sends many requests for a viewer takes no place of another account', async () => {
  await using community = await openCommunity();
  const { server } = community;
  const [attacker, reader] = [await newAccount(server, 'attacker'), await newAccount(server, 'reader')];
  const items = Array.from({ length: AT_ONCE + 4 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: 'author',
    created_at: START,
  }));
  await server.post(ingestPath('items'), items);
  const served: (typeof attacker)[] = [];
  const page = async (account: typeof attacker): Promise<number> => {
    const body = { user_id: 'viewer', impression_count: 1, top_k: 1 };
    const path = '/v2/farcaster/casts/feed/popular';
    const { status } = await server.call('POST', path, body, account.headers);
    if (status === 200) served.push(account);
    return status;
  };
  // The control: one request of each account.
  expect([await page(attacker), await page(reader)]).toEqual([200, 200]);
  served.length = 0;
  const release = holdWrites(community);
  const refused = Promise.withResolvers<void>();
  const attack = Array.from({ length: AT_ONCE }, () =>
    page(attacker).then((status) => {
      if (status === 503) refused.resolve();
      return status;
    }),
  );
  // The attacker's own queue for this viewer is full.
  await refused.promise;
  const reading = page(reader);
  release();
  expect(await reading).toBe(200);
  // The attacker's running request, and the one before the reader's in the common queue, may come first.
  expect(served.indexOf(reader)).toBeLessThanOrEqual(2);
  expect(new Set(await Promise.all(attack))).toEqual(new Set([200, 503]));
});
