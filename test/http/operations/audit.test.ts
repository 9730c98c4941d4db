import { expect, test } from 'bun:test';
import { forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { defaultAccount, newAccount } from '../config-support.ts';

let key_id: string;
const server = await forFile(openTestServer());
const acme = await newAccount(server, 'acme');
[{ key_id }] = await server.service.store.keys.list();

const audit = (headers: Record<string, string>, query = ''): Promise<TestAnswer> =>
  server.call('GET', `/api/audit${query}`, undefined, headers);

test('the audit log lists the changes of feeds and keys of an account, newest first', async () => {
  const feed = await acme.add();
  await acme.set(feed, { name: 'Renamed' });
  server.clock.set(START + 60.75);
  await acme.remove(feed);
  const { status, body } = await audit(acme.headers);
  expect(status).toBe(200);
  expect(body.data).toEqual([
    { audit_id: 4, at: START + 60, actor: key_id, action: 'feed.delete', object: feed, count: 1 },
    { audit_id: 3, at: START, actor: key_id, action: 'feed.change', object: feed, count: 1, revision: 2 },
    { audit_id: 2, at: START, actor: key_id, action: 'feed.create', object: feed, count: 1, revision: 1 },
    { audit_id: 1, at: START, actor: 'cli:test', action: 'key.create', object: key_id, count: 1 },
  ]);
  const page = await audit(acme.headers, '?limit=2&offset=1');
  expect(page.body.data).toEqual(body.data.slice(1, 3));
});

test('the audit log names the key of the settings by its setting, and shows nothing of other accounts', async () => {
  const account = defaultAccount(server);
  const feed = await account.add();
  const { body } = await audit(account.headers);
  expect(body.data).toMatchObject([{ actor: 'FEEDLOOM_API_KEY', object: feed }]);
  const other = await newAccount(server, 'other');
  expect((await audit(other.headers)).body.data).toMatchObject([{ action: 'key.create' }]);
});
