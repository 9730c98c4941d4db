import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestServer, START, type TestServer } from '../../support/service.ts';
import { type Account, defaultAccount, expectRefused, WHOLE } from '../config-support.ts';

let server: TestServer;
let account: Account;
beforeEach(async () => {
  server = await openTestServer();
  account = defaultAccount(server);
});
afterEach(() => server.close());

describe('PATCH /api/feed/config', () => {
  test('a change replaces the given fields, increments the revision and keeps the rest', async () => {
    const { data } = (await account.create(WHOLE)).body;
    server.clock.advance(60.5);
    const { status, headers, body } = await account.patch({
      config_id: 'feed_1',
      name: 'Jazz',
      description: '',
    });
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    const changed = { ...data, name: 'Jazz', description: '', revision: 2, updated_at: START + 60 };
    expect(body).toEqual({ message: "feed 'feed_1' updated", data: changed });
    expect((await account.get('feed_1')).body.data).toEqual(changed);
  });

  test('a change of config replaces it as a whole', async () => {
    await account.create(WHOLE);
    const changed = await account.set('feed_1', { config: { filters: { channels: ['x'] } } });
    expect(changed.config).toEqual({ filters: { channels: ['x'] } });
    expect((await account.set('feed_1', { config: {} })).config).toEqual({});
  });

  test('the warnings of a change name the keys that the new config lacks', async () => {
    await account.add({
      config: { top_k: 5, time_decay: 'low', filters: { channels: ['x'], languages: ['en'] } },
    });
    const { body } = await account.patch({ config_id: 'feed_1', config: { filters: { channels: ['y'] } } });
    expect(body.warnings).toEqual([
      'config.top_k, config.time_decay, config.filters.languages had a saved value and is not in the new config, so it was removed; to keep it, send the whole config or use ?merge=true',
    ]);
  });

  test('?merge=true merges config and its filters, and null removes a key', async () => {
    await account.add({
      config: { top_k: 5, time_decay: 'low', filters: { channels: ['x'], languages: ['en'] } },
    });
    const merge = async (config: object, query = '?merge=true') => {
      const sent = { config_id: 'feed_1', config };
      const { body } = await account.patchWith(query, sent);
      return [body.data?.config, body.warnings];
    };
    expect(
      await merge({ top_k: 7, time_decay: null, filters: { languages: null, replies: 'only' } }),
    ).toEqual([{ top_k: 7, filters: { channels: ['x'], replies: 'only' } }, undefined]);
    expect(await merge({ filters: null })).toEqual([{ top_k: 7 }, undefined]);
    expect(await merge({ top_k: 9 }, '?merge=false')).toEqual([{ top_k: 9 }, undefined]);
  });

  test('faults after merging are refused', async () => {
    await account.add({ config: { filters: { channels: ['x'] } } });
    const refused = await account.patchWith('?merge=true', { config_id: 'feed_1', config: { top_k: 0 } });
    expectRefused(refused, 400, 'invalid_value');
    expect(refused.body.errors.map((fault: { path: string }) => fault.path)).toEqual(['/config/top_k']);
  });

  test('the whole object of a GET can be sent back as a change, with unknown fields', async () => {
    await account.create(WHOLE);
    const { data } = (await account.get('feed_1')).body;
    const { status, body } = await account.patch({ ...data, name: 'Jazz', __typename: 'Feed', owner: 5 });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...data, name: 'Jazz', revision: 2 });
    expect(body.warnings).toEqual([
      "unknown field '__typename' was ignored",
      "unknown field 'owner' was ignored",
    ]);
  });

  test('a change ignores read-only fields', async () => {
    await account.add();
    const sent = { name: 'y', revision: 77, created_at: 1, updated_at: 2 };
    expect(await account.set('feed_1', sent)).toMatchObject({ name: 'y', revision: 2, created_at: START });
  });

  test('null in a change is an absent field, except for short_name', async () => {
    await account.create({ ...WHOLE, short_name: 'mu' });
    const nothing = { name: null, description: null, endpoint: null, status: null, visibility: null };
    const changed = await account.set('feed_1', { ...nothing, config: null, feed_image_url: null });
    expect(changed).toMatchObject({ ...WHOLE, short_name: 'mu' });
    expect(await account.set('feed_1', { short_name: null })).toMatchObject({ ...WHOLE, short_name: null });
  });

  test('a change with If-Match applies only to that revision', async () => {
    await account.add();
    for (const tag of ['"1"', 'W/"1"', '1', '"9", "1"', '*']) {
      const current = (await account.get('feed_1')).headers.get('etag') ?? '';
      const headers = { 'if-match': tag.replace('1', current.replaceAll('"', '')) };
      expect([tag, (await account.patch({ config_id: 'feed_1', name: tag }, headers)).status]).toEqual([
        tag,
        200,
      ]);
    }
    const { data } = (await account.get('feed_1')).body;
    for (const tag of ['"1"', '"7"', '"05"', '"60"', 'x', '""']) {
      const answer = await account.patch({ config_id: 'feed_1', name: 'lost' }, { 'if-match': tag });
      expectRefused(answer, 412, 'revision_mismatch');
    }
    expect((await account.get('feed_1')).body.data).toEqual(data);
  });

  test('of two changes of the same revision with If-Match only one applies', async () => {
    await account.add();
    const headers = { 'if-match': '"1"' };
    const sent = ['a', 'b', 'c'].map((name) => account.patch({ config_id: 'feed_1', name }, headers));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412]);
    expect((await account.get('feed_1')).body.data.revision).toBe(2);
  });

  test('concurrent changes without If-Match lose no change', async () => {
    await account.add();
    const fields = [{ name: 'b' }, { description: 'c' }, { status: 'inactive' }, { short_name: 'd' }];
    await Promise.all(fields.map((field) => account.set('feed_1', field)));
    const { data } = (await account.get('feed_1')).body;
    expect(data).toMatchObject({
      name: 'b',
      description: 'c',
      status: 'inactive',
      short_name: 'd',
      revision: 5,
    });
  });
});

describe('DELETE /api/feed/config', () => {
  test('a deleted feed is gone, and its id is not reused', async () => {
    await account.add();
    const { status, body } = await account.remove('feed_1');
    expect([status, body]).toEqual([200, { message: "feed 'feed_1' deleted" }]);
    expectRefused(await account.get('feed_1'), 404, 'not_found');
    expectRefused(await account.patch({ config_id: 'feed_1' }), 404, 'not_found');
    expectRefused(await account.remove('feed_1'), 404, 'not_found');
    expectRefused(await account.ask('for-you', { user_id: 'v', feed_id: 'feed_1' }), 404, 'not_found');
    expect(await account.ids()).toEqual([]);
    expect(await account.add()).toBe('feed_2');
  });

  test('a deletion with If-Match applies only to that revision', async () => {
    await account.add();
    expectRefused(await account.remove('feed_1', { 'if-match': '"2"' }), 412, 'revision_mismatch');
    expect((await account.remove('feed_1', { 'if-match': '"1"' })).status).toBe(200);
  });
});
