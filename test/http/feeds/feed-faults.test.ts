import { describe, expect, test } from 'bun:test';
import { forFile } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity, smallestBody, TOP_K_MAX } from '../support.ts';

const community = await forFile(openCommunity());
await community.addItem('item');

/** Faults that the OpenAPI document does not tell: what is sent beside the smallest body, and the path of the fault. */
const FAULTS: [Fields, string][] = [
  ...[2 ** 53, -(2 ** 53), 1e300, 'nul\u0000', 'half \ud83d'].map((user_id): [Fields, string] => [
    { user_id },
    '/user_id',
  ]),
  [{ filters: { chanels: null } }, '/filters/chanels'],
  [{ filters: { 'a/b~c': 1 } }, '/filters/a~1b~0c'],
  ...[['following', '12'], ['following', 'following:12'], 'followers', 'following:'].map(
    (author_ids): [Fields, string] => [{ filters: { author_ids } }, '/filters/author_ids'],
  ),
  [{ filters: { author_ids: [1, 2 ** 53] } }, '/filters/author_ids/1'],
  ...['yesterday', 'days_ago:-1', 'days_ago:1.5', 1764861160000, '1764861160000', -1].map(
    (start_timestamp): [Fields, string] => [{ filters: { start_timestamp } }, '/filters/start_timestamp'],
  ),
  [{ scoring: { name: 'all', options: { unknown: 1 } } }, '/scoring/options/unknown'],
  [{ scoring: '14day' }, '/scoring'],
  ...['blocked', 'hidden', 'interacted', 'own_posts', 'seen', 'social_proof'].map(
    (rule): [Fields, string] => [{ visibility_rules: { [rule]: { zz: 1 } } }, `/visibility_rules/${rule}/zz`],
  ),
  [{ visibility_rules: { 'acme/mute_v1.0.0': {} } }, '/visibility_rules/acme~1mute_v1.0.0'],
];

for (const feed_type of FEED_TYPES) {
  describe(`a ${feed_type} request is refused, naming the field, for`, () => {
    const too_many: [Fields, string] = [{ top_k: TOP_K_MAX[feed_type] + 1 }, '/top_k'];
    for (const [fault, path] of [...FAULTS, too_many]) {
      const shown = JSON.stringify(fault);
      test(shown.length < 80 ? shown : `${shown.slice(0, 60)}…`, async () => {
        const before = community.seq;
        const request = { ...smallestBody(feed_type), impression_count: 5, ...fault };
        const { status, body } = await community.ask(feed_type, request);
        expect(status).toBe(400);
        expect(body).toMatchObject({
          code: 'invalid_value',
          status: 400,
          status_code: 400,
          body: body.detail,
        });
        expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
        expect(body.detail).toContain(path);
        expect(community.seq).toBe(before);
      });
    }
  });
}

test('numbers that JSON can express and a double cannot are refused', async () => {
  for (const field of ['top_k', 'impression_count', 'seed', 'user_id']) {
    for (const number of ['1e999', '-1e999', '9007199254740993', '123456789012345678901234567890']) {
      const { status, body } = await community.ask('trending', `{"${field}":${number}}`);
      expect([field, number, status]).toEqual([field, number, 400]);
      expect(body.errors[0].path).toBe(`/${field}`);
    }
  }
});

test('all faults of a request are listed, and the detail says how many', async () => {
  const request = { filters: { channels: 5, unknown: [], start_timestamp: 'x' }, scoring: 'nonsense' };
  const { body } = await community.ask('trending', request);
  const paths = body.errors.map((error: { path: string }) => error.path);
  expect(paths).toEqual(['/filters/channels', '/filters/unknown', '/filters/start_timestamp', '/scoring']);
  expect(body.detail).toContain('(and 3 more)');
});

test('a fault says what is allowed', async () => {
  const detail = async (feed_type: string, request: Fields) =>
    (await community.ask(feed_type, request)).body.detail;
  expect(await detail('for-you', { user_id: 'v', top_k: 501 })).toContain('an integer from 1 to 500');
  expect(await detail('trending', { top_k: 1001 })).toContain('an integer from 1 to 1000');
  expect(await detail('trending', { filters: { chanels: [] } })).toContain('channels');
  expect(await detail('trending', { seen: { mode: 'first' } })).toContain('must be drop, last or show');
  expect(await detail('trending', { scoring: 'x' })).toContain('trending_v0.0.1');
  expect(await detail('trending', { filters: { start_timestamp: 1e12 } })).toContain('milliseconds');
});

test('a built-in scoring function is refused on another feed type', async () => {
  const own = [
    ['for-you', 'balanced_feed_v0.0.1'],
    ['trending', 'trending_v0.0.1'],
    ['popular', 'popular_v0.0.1'],
    ['popular', '1day'],
    ['popular', '7day'],
    ['popular', '30day'],
  ];
  for (const feed_type of FEED_TYPES) {
    for (const [of, scoring] of own) {
      const { status, body } = await community.ask(feed_type, { ...smallestBody(feed_type), scoring });
      expect([feed_type, scoring, status]).toEqual([feed_type, scoring, of === feed_type ? 200 : 400]);
      if (status === 400) expect(body.errors[0].path).toBe('/scoring');
    }
  }
});

test('a for-you feed needs a viewer, by user_id or by wallet', async () => {
  for (const request of [{}, { user_id: null }, { user_id: '' }, { wallet_address: '' }]) {
    expect((await community.ask('for-you', request)).body.errors[0].path).toBe('/user_id');
  }
  expect((await community.ask('for-you', { wallet_address: '0x12' })).status).toBe(200);
});
