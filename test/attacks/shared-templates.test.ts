import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { defaultAccount, newAccount } from '../http/config-support.ts';
import { openTestServer } from '../support/service.ts';

test('an account with many templates does not crowd those of others out of the shared list', async () => {
  const server = await openTestServer();
  await using _ = { [Symbol.asyncDispose]: () => server.close() };
  const [crowding, other, reader] = [
    await newAccount(server, 'crowding'),
    await newAccount(server, 'other'),
    defaultAccount(server),
  ];
  const listed_max = LIMITS.templates_listed_of_account;
  await other.add({ visibility: 'template' });
  for (let at = 0; at < listed_max + 5; at++) await crowding.add({ visibility: 'template' });
  const ids = await reader.ids({ visibility: 'template', limit: listed_max + 5 });
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([listed_max + 1, `feed_${listed_max + 6}`, 'feed_1']);
  // The account itself still lists them all.
  expect(await crowding.ids()).toHaveLength(listed_max + 5);
});
