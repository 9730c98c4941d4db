import { expect } from 'bun:test';
import { type Fields, KEY } from '../http/support.ts';
import { testsWith } from '../support/fixture.ts';
import { serviceWith } from './support.ts';

const it = testsWith(() => serviceWith('a'));

it('9 the feed endpoint path carries the version segment v2', async (service) => {
  const { server } = service.community;
  const ask = (version: string) =>
    server.call('POST', `${version}/farcaster/casts/feed/popular`, {}, KEY).then(({ status }) => status);
  expect(await ask('/v2')).toBe(200);
  for (const version of ['', '/v1', '/v3', '/V2'])
    expect([version, await ask(version)]).toEqual([version, 404]);
});

it('9 scoring functions carry version suffixes', async (service) => {
  const { body } = await service.community.server.call('GET', '/api/plugins', undefined, KEY);
  const ids = body.data
    .filter(({ kind }: Fields) => kind === 'scoring_functions')
    .map(({ id }: Fields) => String(id));
  expect(ids).toContain('balanced_feed_v0.0.1');
  // The windows of popular feeds go by the names that clients send.
  const windows = ['1day', '7day', '30day'];
  for (const id of ids) if (!windows.includes(id)) expect(id).toMatch(/_v\d+\.\d+\.\d+$/);
});

it('9 a scoring function of another version is another function', async (service) => {
  const ask = (scoring: string) => service.community.ask('for-you', { user_id: 'viewer', scoring });
  expect((await ask('balanced_feed_v0.0.1')).status).toBe(200);
  expect((await ask('balanced_feed_v0.0.2')).status).toBe(400);
  expect((await ask('balanced_feed')).status).toBe(400);
});
