import { beforeEach, describe, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { forFile, openTestServer, type TestAnswer } from '../../support/service.ts';
import { defaultAccount, expectRefused } from '../config-support.ts';
import type { Fields } from '../support.ts';

const server = await forFile(openTestServer());
const account = defaultAccount(server);
await account.add({ name: 'first', config: { top_k: 5 } });
await account.add({ name: 'popular', endpoint: 'casts/feed/popular', config: { top_k: 800 } });

/** Everything that is stored; refused requests leave it as it was. */
let before: string;
const stored = async (): Promise<string> => JSON.stringify(await server.service.store.feeds.all());
beforeEach(async () => {
  before = await stored();
});

/** What is wrong in an object beyond what the OpenAPI document tells, and the path of each fault. */
const FAULTS: [Fields, ...string[]][] = [
  [{ endpoint: 'casts/feed/For-You' }, '/endpoint'],
  [{ feed_image_url: 'javascript:alert(1)' }, '/feed_image_url'],
  [{ config: { odd: 'x'.repeat(LIMITS.config_length_max) } }, '/config'],
  [{ config: { user_id: '5' } }, '/config/user_id'],
  [{ config: { wallet_address: '0x1' } }, '/config/wallet_address'],
  [{ config: { feed_id: 'feed_1' } }, '/config/feed_id'],
  [{ config: { impression_count: 0 } }, '/config/impression_count'],
  [{ config: { page_number: 1 } }, '/config/page_number'],
  [{ config: { explain: false } }, '/config/explain'],
  [{ config: { seed: 1 } }, '/config/seed'],
  [{ config: { request_id: 'x' } }, '/config/request_id'],
  [{ config: { top_k: 501 } }, '/config/top_k'],
  [{ endpoint: 'casts/feed/popular', config: { top_k: 1001 } }, '/config/top_k'],
  [{ config: { filters: { start_timestamp: 'yesterday' } } }, '/config/filters/start_timestamp'],
  [{ config: { filters: { author_ids: ['following', '12'] } } }, '/config/filters/author_ids'],
  [{ config: { filters: { 'acme/x': 1 } } }, '/config/filters/acme~1x'],
  [{ endpoint: 'casts/feed/popular', config: { scoring: 'balanced_feed_v0.0.1' } }, '/config/scoring'],
  [{ config: { scoring: { name: 'all', options: { unknown: 1 } } } }, '/config/scoring/options/unknown'],
  [{ config: { visibility_rules: { 'acme/x_v1.0.0': {} } } }, '/config/visibility_rules/acme~1x_v1.0.0'],
];

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length < 90 ? text : `${text.slice(0, 70)}…`;
}

/** A 400 that names the fault and stores nothing. */
async function expectFault(answer: TestAnswer, path: string): Promise<void> {
  expectRefused(answer, 400, 'invalid_value');
  const { errors, detail } = answer.body;
  const paths: string[] = errors.map((error: Fields) => error.path);
  expect(paths.some((told) => told === path || told.startsWith(`${path}/`))).toBe(true);
  expect(detail).toStartWith(paths[0] || 'body');
  expect(await stored()).toBe(before);
}

describe('a new feed is refused, naming the fault, for', () => {
  for (const [fault, path] of FAULTS) {
    test(shown(fault), async () => {
      await expectFault(await account.create({ name: 'x', ...fault }), path);
    });
  }

  for (const object of [{}, { name: null }, { description: 'x' }]) {
    test(`no name: ${shown(object)}`, async () => {
      const answer = await account.create(object);
      await expectFault(answer, '/name');
      expect(answer.body.detail).toBe('/name: is required');
    });
  }
});

describe('a change is refused, naming the fault, for', () => {
  for (const [fault, path] of FAULTS) {
    test(shown(fault), async () => {
      await expectFault(await account.patch({ config_id: 'feed_1', ...fault }), path);
    });
  }

  test('a new endpoint that the saved config does not fit', async () => {
    await expectFault(
      await account.patch({ config_id: 'feed_2', endpoint: 'casts/feed/for-you' }),
      '/config/top_k',
    );
  });

  for (const config_id of [undefined, null, '', 5, true, ['feed_1'], { id: 'feed_1' }]) {
    test(`config_id ${shown({ config_id })}`, async () => {
      await expectFault(await account.patch({ config_id, name: 'x' }), '/config_id');
    });
  }
});

const UNKNOWN_IDS = [
  'feed_3',
  'feed_0',
  'feed_01',
  'Feed_1',
  'feed_1 ',
  '1',
  'none',
  '__proto__',
  'x'.repeat(5000),
  'é%',
];

describe('404 for the id', () => {
  for (const config_id of UNKNOWN_IDS) {
    test(shown(config_id), async () => {
      expectRefused(await account.get(config_id), 404, 'not_found');
      expectRefused(await account.patch({ config_id, name: 'x' }), 404, 'not_found');
      expectRefused(await account.remove(config_id), 404, 'not_found');
      const asked = await account.ask('for-you', { user_id: 'v', feed_id: config_id.slice(0, 200) });
      expectRefused(asked, 404, 'not_found');
      expect(await stored()).toBe(before);
    });
  }
});

describe('reading and deleting need', () => {
  for (const query of ['', '?', '?config_id', '?config_id=', '?CONFIG_ID=feed_1', '?id=feed_1']) {
    test(`config_id in the query, not ${query || 'none'}`, async () => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await server.call(method, `/api/feed/config${query}`, undefined, account.headers);
        await expectFault(answer, '/config_id');
        expect(answer.body.detail).toBe('/config_id: is required');
      }
    });
  }
});

test('all faults of a list request are named at once', async () => {
  const { body } = await account.list({ visibility: 1, limit: 0, offset: -1 });
  expect(body.errors.map((error: Fields) => error.path)).toEqual(['/visibility', '/limit', '/offset']);
});

test('a body that is not a JSON object is refused at every endpoint', async () => {
  for (const body of ['[]', '"x"', '5', 'true', '[{"name":"x"}]', 'null', '']) {
    for (const send of [account.create, account.patch]) {
      await expectFault(await send.call(account, body), '');
    }
    if (body !== 'null' && body !== '') await expectFault(await account.list(body), '');
  }
  for (const body of ['{', '{"name":', '{name:1}', '{"name":"x"} {}', "{'name':'x'}"]) {
    for (const send of [account.create, account.patch, account.list]) {
      expectRefused(await send.call(account, body), 400, 'malformed_json');
    }
  }
  expect(await stored()).toBe(before);
});

test('every fault of a feed is reported with its path', async () => {
  const { body } = await account.create({
    endpoint: 'casts/feed/trending',
    status: 'on',
    short_name: 5,
    config: {
      seed: 1,
      top_k: 0,
      return_global_fallback: 'yes',
      filters: { chanels: ['x'], channels: ['x', 5], start_timestamp: 'soon' },
      scoring: 'nonsense',
      visibility_rules: { 'acme/x_v1.0.0': {} },
    },
  });
  expect(body.errors.map((error: Fields) => error.path).sort()).toEqual([
    '/config/filters/chanels',
    '/config/filters/channels/1',
    '/config/filters/start_timestamp',
    '/config/return_global_fallback',
    '/config/scoring',
    '/config/seed',
    '/config/top_k',
    '/config/visibility_rules/acme~1x_v1.0.0',
    '/name',
    '/short_name',
    '/status',
  ]);
  expect(body.detail).toContain('(and 10 more)');
});

test('the faults of a config are reported even if the endpoint is wrong', async () => {
  const config = { top_k: 0, scoring: 'balanced_feed_v0.0.1', filters: { chanels: [] } };
  const { body } = await account.create({ name: 'x', endpoint: 'x', config });
  const paths = body.errors.map((error: Fields) => error.path);
  expect(paths).toEqual(['/endpoint', '/config/top_k', '/config/filters/chanels']);
});

test('a fault says what is allowed', async () => {
  const detail = async (object: Fields) => (await account.create({ name: 'x', ...object })).body.detail;
  expect(await detail({ endpoint: 'x' })).toContain(
    'casts/feed/for-you, casts/feed/trending, casts/feed/popular',
  );
  expect(await detail({ status: 'x' })).toContain('active, inactive');
  expect(await detail({ visibility: 'x' })).toContain('private, public, template');
  expect(await detail({ config: { filters: { x: 1 } } })).toContain('channels');
  expect(await detail({ config: { top_k: 900 } })).toContain('from 1 to 500');
});

test('a config may contain a parameter of requests if it is null or empty', async () => {
  const config = { user_id: null, feed_id: '', seed: null };
  const { status, body } = await account.create({ name: 'x', config });
  expect([status, body.data.config]).toEqual([201, config]);
  await account.remove(body.data.config_id);
});
