import { expect } from 'bun:test';
import { newAccount } from '../http/config-support.ts';
import { feedPath } from '../http/support.ts';
import { testsWith } from '../support/fixture.ts';
import { FEED_TYPES, serviceWith } from './support.ts';

const it = testsWith(() => serviceWith('a'));

it('5 the feed endpoint takes a bearer token in the authorization header', async (service) => {
  const { server } = service.community;
  for (const type of FEED_TYPES) {
    for (const authorization of ['Bearer test-key', 'bearer test-key']) {
      const { status } = await server.call('POST', feedPath(type), { user_id: '1' }, { authorization });
      expect([type, authorization, status]).toEqual([type, authorization, 200]);
    }
  }
});

it('5 without a token, or with one that is not known, nothing is answered', async (service) => {
  const { server } = service.community;
  const wrong: Record<string, string>[] = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'test-key' },
  ];
  for (const type of FEED_TYPES) {
    for (const headers of wrong) {
      const { status, body } = await server.call('POST', feedPath(type), { user_id: '1' }, headers);
      expect([status, body.code, body.body]).toEqual([401, 'unauthorized', body.detail]);
      expect(JSON.stringify(body)).not.toContain('wrong');
    }
  }
});

it('5 the configuration endpoints are behind the same keys', async (service) => {
  const { server } = service.community;
  const calls: [string, string, unknown?][] = [
    ['POST', '/api/feed/config', { name: 'x' }],
    ['GET', '/api/feed/config?config_id=feed_1'],
    ['POST', '/api/feed/configs', {}],
    ['PATCH', '/api/feed/config', { config_id: 'feed_1', name: 'x' }],
  ];
  for (const [method, path, body] of calls) {
    expect((await server.call(method, path, body)).status).toBe(401);
  }
  const reader = await newAccount(server, 'reader', 'feed:read');
  expect((await reader.create({ name: 'x' })).status).toBe(403);
  expect((await reader.ask('popular', {})).status).toBe(200);
});
