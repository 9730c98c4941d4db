import { expect, test } from 'bun:test';
import { WHOLE } from '../http/config-support.ts';
import { type Fields, KEY } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { openService } from './support.ts';

const service = await forFile(openService());

const call = (method: string, path: string, body?: unknown) =>
  service.community.server.call(method, path, body, KEY);

test('4.2 POST /api/feed/config creates a feed from an object without config_id', async () => {
  const { status, body } = await call('POST', '/api/feed/config', WHOLE);
  expect([status, typeof body.message]).toEqual([201, 'string']);
  expect(body.data).toMatchObject({ ...WHOLE, config_id: expect.stringMatching(/^feed_\d+$/) });
});

test('4.2 GET /api/feed/config?config_id= retrieves a feed', async () => {
  const config_id = await service.account.add(WHOLE);
  const { status, body } = await call('GET', `/api/feed/config?config_id=${config_id}`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ ...WHOLE, config_id });
  expect((await call('GET', '/api/feed/config?config_id=feed_999')).status).toBe(404);
  expect((await call('GET', '/api/feed/config')).status).toBe(400);
});

test('4.2 POST /api/feed/configs lists the feeds of the account by visibility', async () => {
  const mine = await service.account.add({ visibility: 'private' });
  const shared = await service.account.add({ visibility: 'public' });
  const listed = async (body: Fields) => {
    const answer = await call('POST', '/api/feed/configs', body);
    expect(answer.status).toBe(200);
    return answer.body.data.map(({ config_id }: Fields) => config_id);
  };
  const whole = await listed({});
  expect(whole).toEqual(expect.arrayContaining([mine, shared]));
  const hidden = await listed({ visibility: 'private' });
  expect(hidden).toContain(mine);
  expect(hidden).not.toContain(shared);
});

test('4.2 PATCH /api/feed/config takes the whole object as it was retrieved, with changed values', async () => {
  const config_id = await service.account.add(WHOLE);
  const { data } = (await call('GET', `/api/feed/config?config_id=${config_id}`)).body;
  const changed = { ...data, name: 'Renamed', config: { ...data.config, top_k: 5 } };
  const { status, body } = await call('PATCH', '/api/feed/config', changed);
  expect([status, body.data.name, body.data.config]).toEqual([200, 'Renamed', changed.config]);
  const again = (await call('GET', `/api/feed/config?config_id=${config_id}`)).body.data;
  expect(again).toEqual(body.data);
});

test('4.2 PATCH takes the object back with extra fields that a client adds, and names them', async () => {
  const config_id = await service.account.add(WHOLE);
  const { data } = (await call('GET', `/api/feed/config?config_id=${config_id}`)).body;
  const sent = { ...data, owner: 'me', isEditing: false, config: { ...data.config, candidate_source: 'x' } };
  const { status, body } = await call('PATCH', '/api/feed/config', sent);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ ...WHOLE, config: { ...WHOLE.config, candidate_source: 'x' } });
  expect(body.data).not.toHaveProperty('owner');
  expect(body.warnings).toHaveLength(3);
});

test('4.2 PATCH of an object that was not changed leaves it as it was', async () => {
  const config_id = await service.account.add(WHOLE);
  const { data } = (await call('GET', `/api/feed/config?config_id=${config_id}`)).body;
  const { body } = await call('PATCH', '/api/feed/config', data);
  const { revision: _, updated_at: __, ...rest } = body.data;
  expect(data).toMatchObject(rest);
});

test('4.2 a changed feed is in force at the next feed request', async () => {
  await service.addItems('a', 'b');
  const config_id = await service.account.add({ config: { filters: { author_ids: ['author of a'] } } });
  expect(await service.page('for-you', { feed_id: config_id })).toEqual(['a']);
  await service.account.set(config_id, { config: { filters: { author_ids: ['author of b'] } } });
  expect(await service.page('for-you', { feed_id: config_id })).toEqual(['b']);
});
