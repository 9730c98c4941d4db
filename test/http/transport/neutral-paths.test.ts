import { expect, test } from 'bun:test';
import { forFile, openTestServer } from '../../support/service.ts';
import { defaultAccount, expectRefused } from '../config-support.ts';

const server = await forFile(openTestServer());
const account = defaultAccount(server);
const items = ['a', 'b'].map((item_id) => ({ item_id, author_id: 'ann', created_at: 1 }));
await server.call('POST', '/v2/farcaster/items', items, account.headers);

const ask = (path: string, body: object) =>
  server.call('POST', `/v2/farcaster/${path}`, body, account.headers);

test('/feeds/ and /casts/feed/ give the same answers', async () => {
  for (const feed_type of ['for-you', 'trending', 'popular']) {
    const request = { user_id: 'bob', seed: 1 };
    const neutral = await ask(`feeds/${feed_type}`, request);
    expect(neutral.status).toBe(200);
    expect(neutral.body.body).toEqual((await ask(`casts/feed/${feed_type}`, request)).body.body);
    const question = { ...request, item_id: 'a' };
    const why = await ask(`feeds/${feed_type}/explain`, question);
    expect(why.body).toEqual((await ask(`casts/feed/${feed_type}/explain`, question)).body);
  }
});

test('a saved endpoint may have either spelling, is kept as sent, and works under both paths', async () => {
  for (const endpoint of ['feeds/popular', 'casts/feed/popular']) {
    const feed_id = await account.add({ endpoint });
    expect((await account.get(feed_id)).body.data.endpoint).toBe(endpoint);
    for (const path of ['feeds/popular', 'casts/feed/popular']) {
      const page = await ask(path, { feed_id });
      expect(page.body.body[0].source_feed).toBe(`main:${feed_id}`);
    }
    expect((await ask('feeds/trending', { feed_id })).status).toBe(400);
  }
});

test('errors under the neutral paths have status_code and body', async () => {
  expectRefused(await ask('feeds/popular', { top_k: 0 }), 400, 'invalid_value');
});
