import { describe, expect, test } from 'bun:test';
import type { Scope } from '../../../src/store/keys.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { editAt } from '../../support/edit.ts';
import { API_KEY, forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { feedPath, ingestPath } from '../support.ts';

const server = await forFile(openTestServer());

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function ask(headers: Record<string, string>): Promise<TestAnswer> {
  return server.call('POST', feedPath('trending'), {}, headers);
}

describe('a key is taken from', () => {
  const ways: [string, Record<string, string>][] = [
    ['Authorization: Bearer', { authorization: `Bearer ${API_KEY}` }],
    ['a scheme in another case', { authorization: `bearer   ${API_KEY}` }],
    ['Authorization: Basic with the raw key', { authorization: `Basic ${API_KEY}` }],
    ['Authorization: Basic with base64', { authorization: `Basic ${base64(`anything:${API_KEY}`)}` }],
    ['Authorization: Basic with an empty user', { authorization: `Basic ${base64(`:${API_KEY}`)}` }],
    ['x-api-key', { 'x-api-key': API_KEY }],
    ['x-api-key beside an empty Authorization', { authorization: '', 'x-api-key': API_KEY }],
    ['x-api-key beside a blank Authorization', { authorization: '  ', 'x-api-key': API_KEY }],
    [
      'x-api-key beside the credentials of a proxy',
      { authorization: `Basic ${base64('proxy:password')}`, 'x-api-key': API_KEY },
    ],
    ['x-api-key beside an unknown key', { authorization: 'Bearer x', 'x-api-key': API_KEY }],
    ['x-api-key beside an unknown scheme', { authorization: 'Digest realm="x"', 'x-api-key': API_KEY }],
    ['x-api-key beside a scheme without a key', { authorization: 'Bearer', 'x-api-key': API_KEY }],
    ['Authorization, which wins over x-api-key', { authorization: `Bearer ${API_KEY}`, 'x-api-key': 'x' }],
  ];
  for (const [name, headers] of ways) {
    test(name, async () => {
      expect((await ask(headers)).status).toBe(200);
      expect((await server.call('POST', ingestPath('items'), [], headers)).status).toBe(200);
      expect((await server.call('GET', '/api/plugins', undefined, headers)).status).toBe(200);
    });
  }
});

test('a viewer token in x-api-key counts beside the credentials of a proxy', async () => {
  const proxy = { authorization: `Basic ${base64('proxy:password')}` };
  const made = await server.call(
    'POST',
    '/api/tokens',
    { user_id: '42', ttl_seconds: 60 },
    { ...proxy, 'x-api-key': API_KEY },
  );
  const { status, body } = await server.call(
    'POST',
    feedPath('trending'),
    { user_id: '43' },
    { ...proxy, 'x-api-key': made.body.token },
  );
  expect([status, body.detail]).toMatchObject([403, expect.stringContaining('viewer')]);
  const own = await server.call('POST', feedPath('trending'), {}, { ...proxy, 'x-api-key': made.body.token });
  expect(own.status).toBe(200);
});

test('an expired key in Authorization is refused as such, whatever x-api-key is', async () => {
  const { key } = await server.service.store.keys.create('acme', ['feed:read'], editAt(START), {
    expires_at: 1,
  });
  await server.keys.refresh();
  const { status, body } = await ask({ authorization: `Bearer ${key}`, 'x-api-key': API_KEY });
  expect([status, body.detail]).toEqual([401, 'the key expired at 1970-01-01T00:00:01.000Z']);
});

describe('401 for', () => {
  const ways: [string, Record<string, string>][] = [
    ['no key', {}],
    ['an unknown key', { authorization: 'Bearer unknown-key' }],
    ['an unknown Authorization and an unknown x-api-key', { authorization: 'Bearer x', 'x-api-key': 'y' }],
    ['the credentials of a proxy alone', { authorization: `Basic ${base64('proxy:password')}` }],
    ['an unknown scheme', { authorization: `Digest ${API_KEY}` }],
    ['the name of a header within Authorization', { authorization: `x-api-key: ${API_KEY}` }],
    ['a scheme without a key', { authorization: 'Bearer' }],
    ['a key without a scheme', { authorization: API_KEY }],
    ['the key as user of Basic', { authorization: `Basic ${base64(`${API_KEY}:`)}` }],
    ['Basic that is neither a key nor base64', { authorization: 'Basic \u00e9\u00e9' }],
    ['a key in another case', { 'x-api-key': API_KEY.toUpperCase() }],
    ['an empty x-api-key', { 'x-api-key': '' }],
  ];
  for (const [name, headers] of ways) {
    test(name, async () => {
      const { status, headers: answered, body } = await ask(headers);
      expect(status).toBe(401);
      // A challenge for Basic would have browsers ask for a name and a password.
      expect(answered.get('www-authenticate')).toBe('Bearer realm="feedloom"');
      expect(body).toMatchObject({ code: 'unauthorized', status: 401, status_code: 401 });
    });
  }
});

/** A new key, known to the server. */
async function newKey(...scopes: Scope[]): Promise<{ key_id: string; key: string }> {
  const created = await server.service.store.keys.create('acme', scopes, editAt(START));
  await server.keys.refresh();
  return created;
}

test('a key of another process is known at once, and revoked by the next refresh', async () => {
  const other = await openStore({
    data: server.dir,
    write_queue: 1000,
    role: 'beside',
    command: 'another process',
  });
  const { key_id, key } = await other.keys.create('acme', ['feed:read'], editAt(START));
  const headers = { authorization: `Bearer ${key}` };
  expect((await ask(headers)).status).toBe(200);
  expect(await other.keys.revoke(key_id, editAt(START))).toBe(true);
  await server.keys.refresh();
  expect((await ask(headers)).body).toMatchObject({ code: 'unauthorized' });
  expect((await ask({ authorization: `Bearer ${API_KEY}` })).status).toBe(200);
  await other.close();
});

test('no key appears in an answer or in the log', async () => {
  const secret = 'very-secret-key-4711';
  const { key } = await newKey('feed:read');
  const answers: TestAnswer[] = [];
  const tried: Record<string, string>[] = [
    { authorization: `Bearer ${secret}` },
    { authorization: `Basic ${base64(`x:${secret}`)}` },
    { 'x-api-key': secret },
  ];
  for (const headers of tried) answers.push(await ask(headers));
  answers.push(await server.call('DELETE', `${ingestPath('users')}/x`, undefined, { 'x-api-key': key }));
  const { serve } = server.service.feeds;
  server.service.feeds.serve = () => Promise.reject(new Error('broken'));
  answers.push(await ask({ authorization: `Bearer ${key}` }));
  server.service.feeds.serve = serve;
  const written = JSON.stringify(answers.map(({ body }) => body)) + server.log.join('');
  for (const hidden of [secret, base64(`x:${secret}`), key, API_KEY]) expect(written).not.toContain(hidden);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 403, 500]);
});
