import { expect, test } from 'bun:test';
import { feedPath } from '../http/support.ts';
import { testsWith } from '../support/fixture.ts';
import { FEED_TYPES, serviceWith } from './support.ts';

const it = testsWith(() => serviceWith('a', 'b'));

const CLIENT = {
  authorization: 'Bearer test-key',
  'content-type': 'application/json',
  accept: 'application/json',
  'HTTP-Referer': 'https://client.example/page',
  'X-Title': 'A client',
};

it('4.1 POST {base_url}/v2/<network>/casts/feed/for-you answers a personalised feed', async (service) => {
  const { server } = service.community;
  const answer = await server.call('POST', feedPath('for-you'), { user_id: '16085' }, CLIENT);
  expect(answer.status).toBe(200);
  expect(answer.body.body.map(({ item_id }: { item_id: string }) => item_id).toSorted()).toEqual(['a', 'b']);
});

test('4.1 <network> is a fixed path segment', async () => {
  await using service = await serviceWith('a');
  for (const path of [
    '/v2/lens/casts/feed/for-you',
    '/v2/casts/feed/for-you',
    '/v2/Farcaster/casts/feed/for-you',
  ]) {
    const { status } = await service.community.server.call('POST', path, { user_id: '16085' }, CLIENT);
    expect([path, status]).toEqual([path, 404]);
  }
});

test('4.1 the request headers of published clients are taken; HTTP-Referer and X-Title may be left out', async () => {
  await using service = await serviceWith('a');
  const { server } = service.community;
  const { authorization } = CLIENT;
  for (const headers of [CLIENT, { authorization }, { ...CLIENT, 'X-Title': '' }]) {
    for (const type of FEED_TYPES) {
      const { status } = await server.call('POST', feedPath(type), { user_id: '16085' }, headers);
      expect(status).toBe(200);
    }
  }
});

it('4.1 the request body is a JSON object with user_id, feed_id and optional promotion_filters', async (service) => {
  const feed_id = await service.account.add({ config: { filters: { author_ids: ['author of a'] } } });
  const promotion = {
    promotion_type: 'items',
    promotion_name: 'ad',
    promoted_items: [{ item_id: 'b', rank: 1 }],
  };
  const body = { user_id: '16085', feed_id, promotion_filters: [promotion] };
  const page = await service.community.page('for-you', body);
  expect(page.map(({ item_id, source_feed }) => [item_id, source_feed])).toEqual([
    ['b', 'promotion:ad'],
    ['a', `main:${feed_id}`],
  ]);
  for (const wrong of ['[]', '5', '"x"', '{"user_id":', 'null x']) {
    expect((await service.community.ask('for-you', wrong)).status).toBe(400);
  }
});

it('4.1 the answer is JSON with a list of items carrying item_id and source_feed', async (service) => {
  for (const type of FEED_TYPES) {
    const { body } = await service.community.ask(type, { user_id: '16085' });
    for (const item of body.body) {
      expect(item).toMatchObject({ item_id: expect.any(String), source_feed: `main:${type}` });
    }
    expect(body.body).toHaveLength(2);
  }
});

it('4.1 the feed types trending and popular are its siblings', async (service) => {
  for (const type of ['trending', 'popular'] as const) {
    expect(await service.community.ids(type, {})).toEqual(['a', 'b']);
  }
});
