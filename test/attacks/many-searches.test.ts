import { expect, test } from 'bun:test';
import { newAccount } from '../http/config-support.ts';
import { openTestServer } from '../support/service.ts';

/** One account sends many searches at once. */

const AT_ONCE = 300;

test('an account that sends many searches at once leaves room for those of another account', async () => {
  await using server = await openTestServer();
  const [attacker, reader] = [await newAccount(server, 'attacker'), await newAccount(server, 'reader')];
  await server.post('/v2/farcaster/users', [{ user_id: 'alice', username: 'alice' }]);
  const search = async ({ headers }: typeof attacker): Promise<number> => {
    const { status } = await server.call('GET', '/v2/farcaster/users?search=a', undefined, headers);
    return status;
  };
  // The control: one search of each account.
  expect([await search(attacker), await search(reader)]).toEqual([200, 200]);
  const attack = Array.from({ length: AT_ONCE }, () => search(attacker));
  expect(await search(reader)).toBe(200);
  const accepted = (await Promise.all(attack)).filter((status) => status === 200);
  expect(accepted.length).toBeLessThan(AT_ONCE);
  expect(await search(reader)).toBe(200);
});
