import { beforeEach, describe, expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { defaultAccount, newAccount } from '../config-support.ts';
import { FEED_TYPES, type Fields, feedPath, KEY, openCommunity, whileReading } from '../support.ts';

const MINUTES = 60;
let next_viewer = 0;
let user_id: string;
const community = await forFile(openCommunity());
const items = Array.from({ length: 60 }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 7}`,
  created_at: START - at,
  likes_count: at,
}));
await community.add('items', ...items);

beforeEach(() => {
  user_id = `viewer-${next_viewer++}`;
});

const page = (body: Fields, feed_type = 'popular') =>
  community.ask(feed_type, { user_id, top_k: 5, ...body });
const recorded = (body: Fields, feed_type = 'popular') =>
  page({ impression_count: 5, request_id: 'r', ...body }, feed_type);
/** The ids of an answer. */
const ids = ({ body }: { body: { body: Fields[] } }) => body.body.map(({ item_id }) => item_id);

describe('a request with request_id, sent again', () => {
  for (const feed_type of FEED_TYPES) {
    test(`a repeated request_id returns the same ${feed_type} page byte for byte, and records nothing`, async () => {
      const request = { user_id, request_id: 'again', top_k: 6, impression_count: 6, return_metadata: true };
      const raw = (body: Fields) => community.server.call('POST', feedPath(feed_type), body, KEY);
      const first = await raw({ ...request, unknown: 1 });
      const { seq } = community;
      await community.addItem(`newer-${feed_type}`, { likes_count: 1_000 });
      for (const body of [request, { ...request, unknown: 2 }, { explain: null, ...request }]) {
        const again = await raw(body);
        expect([again.status, JSON.stringify(again.body)]).toEqual([200, JSON.stringify(first.body)]);
        expect(again.headers.get('content-type')).toStartWith('application/json');
        expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      }
      expect(first.body.warnings).toEqual(["unknown field 'unknown' was ignored"]);
      expect(community.seq).toBeGreaterThan(seq - 1);
      // Only the first was recorded: the next page goes on right after it.
      const shown = new Set(ids(first));
      const rest = await raw({ user_id, top_k: 100 });
      expect(ids(rest).some((id) => shown.has(id))).toBe(false);
      expect(ids(rest).length + shown.size).toBe(
        (await raw({ user_id: 'other', top_k: 100 })).body.body.length,
      );
    });
  }

  test('a cached page has the same media type as any page', async () => {
    const types = new Set<string | null>();
    for (const feed_type of FEED_TYPES) {
      for (const request_id of [undefined, 'typed', 'typed']) {
        const body = { user_id, top_k: 5, request_id };
        const { headers } = await community.server.call('POST', feedPath(feed_type), body, KEY);
        types.add(headers.get('content-type'));
      }
    }
    expect([...types]).toEqual(['application/json;charset=utf-8']);
  });

  test('a cached page keeps its random seed', async () => {
    const [one, other] = [await page({ request_id: 'a' }), await page({ request_id: 'a' })];
    expect(one.body).toEqual(other.body);
    expect(one.headers.get('content-type')).toStartWith('application/json');
  });

  test('a request_id that is sent again while the first is under way is answered once', async () => {
    const { seq } = community;
    const answers = await Promise.all(Array.from({ length: 8 }, () => recorded({})));
    for (const answer of answers) expect(answer.body).toEqual(answers[0].body);
    const [next] = [await recorded({ request_id: 'next' })];
    expect(ids(next).some((id) => ids(answers[0]).includes(id))).toBe(false);
    // The viewer's name and two pages.
    expect(community.seq - seq).toBeLessThanOrEqual(3);
  });

  test("a request_id is valid for ten minutes of the service's clock", async () => {
    const { clock } = community.server;
    const first = await recorded({});
    clock.advance(10 * MINUTES);
    expect(ids(await recorded({}))).toEqual(ids(first));
    clock.advance(0.5);
    expect(ids(await recorded({})).some((id) => ids(first).includes(id))).toBe(false);
  });
});

describe('a request_id', () => {
  test('a request_id belongs to one viewer, one feed type and one account', async () => {
    const [mine, theirs] = [await recorded({}), await recorded({ user_id: `${user_id}-other` })];
    expect(ids(theirs)).toEqual(ids(mine));
    expect((await community.ask('popular', { user_id, top_k: 5 })).body.body[0].item_id).not.toBe(
      ids(mine)[0],
    );
    const trending = await recorded({}, 'trending');
    expect(ids(trending).some((id) => ids(mine).includes(id))).toBe(false);
    const stranger = await newAccount(community.server, 'stranger');
    const request = { user_id, top_k: 5, impression_count: 5, request_id: 'r' };
    const elsewhere = await stranger.ask('popular', request);
    expect(ids(elsewhere).some((id) => ids(mine).includes(id))).toBe(false);
    expect(ids(await defaultAccount(community.server).ask('popular', request))).toEqual(ids(mine));
  });

  test('a request_id of a different request is refused, also while the first is under way', async () => {
    await recorded({});
    const { seq } = community;
    const changes = [
      { top_k: 6 },
      { filters: {} },
      { impression_count: 4 },
      { seed: 1 },
      { scoring: 'none' },
    ];
    for (const changed of changes) {
      const { status, body } = await recorded(changed);
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_value', '/request_id']);
    }
    expect(community.seq).toBe(seq);
    const both = [recorded({ request_id: 'both' }), recorded({ request_id: 'both', top_k: 6 })];
    const [one, other] = await Promise.all(both);
    expect([one.status, other.status]).toEqual([200, 400]);
  });

  test('a request_id of the same request with another order of keys is the same', async () => {
    const filters = { languages: [], channels: [], author_ids: ['author-1', 'author-2'] };
    const first = await recorded({ filters });
    const { author_ids, ...others } = filters;
    expect((await recorded({ filters: { author_ids, ...others } })).body).toEqual(first.body);
    const turned = await recorded({ filters: { ...filters, author_ids: author_ids.toReversed() } });
    expect(turned.status).toBe(400);
  });

  test('a request_id of a failed request is forgotten', async () => {
    const missing = { feed_id: 'feed_1' };
    const account = defaultAccount(community.server);
    expect((await recorded(missing)).status).toBe(404);
    const feed_id = await account.add({ endpoint: 'casts/feed/popular' });
    expect(feed_id).toBe('feed_1');
    expect((await recorded(missing)).status).toBe(200);
    expect((await recorded({ top_k: 7 })).status).toBe(400);
    await account.remove(feed_id);
    expect((await recorded(missing)).status).toBe(404);
  });

  test('a request_id without a viewer is ignored with a warning', async () => {
    const warning = 'request_id was ignored: requests without a viewer are not remembered';
    for (const top_k of [3, 4]) {
      const { status, body } = await community.ask('trending', { request_id: 'r', top_k });
      expect([status, body.body.length, body.warnings]).toEqual([200, top_k, [warning]]);
    }
  });

  test('a request_id works for viewers named by a wallet in any case', async () => {
    const wallet = { user_id: undefined, wallet_address: '0xAB' };
    const first = await page({ ...wallet, request_id: 'w' }, 'for-you');
    await community.addItem('newest-of-all', { likes_count: 5_000 });
    const again = await page({ ...wallet, wallet_address: '0xab', request_id: 'w' }, 'for-you');
    expect(again.body).toEqual(first.body);
  });

  test('a request_id is a text of 1 to 64 characters', async () => {
    for (const request_id of ['x'.repeat(65), 5, true, [], {}]) {
      const { status, body } = await page({ request_id });
      expect([status, body.errors[0].path]).toEqual([400, '/request_id']);
    }
    for (const request_id of ['x'.repeat(64), '', null, ' ', '__proto__']) {
      expect((await page({ request_id })).status).toBe(200);
    }
  });
});

test('the erasure of a user who is not on a page keeps the cached page', async () => {
  await community.act('stranger', 'like', 'item-5');
  const first = await recorded({ request_id: 'u' });
  await community.remove('users', 'stranger');
  const again = await recorded({ request_id: 'u' });
  expect(again.body).toEqual(first.body);
  // Nor was it recorded twice: the next page goes on behind it.
  const shown = new Set(ids(first));
  const [next] = ids(await recorded({ request_id: 'next' }));
  const all = ids(await community.ask('popular', { top_k: 100 }));
  expect(all.filter((id) => !shown.has(id))[0]).toBe(next);
});

describe('an answer is not given again', () => {
  test.each([
    ['who was blocked', () => community.add('blocks', { user_id, target_user_id: 'author-3' })],
    [
      'who has blocked its reader',
      () => community.add('blocks', { user_id: 'author-3', target_user_id: user_id }),
    ],
  ])('a repeated page leaves out an author %s meanwhile', async (_what, block) => {
    // Pages from before the erasures of other tests are not repeated.
    community.server.clock.advance(1);
    const of = async (request_id: string) =>
      (await recorded({ request_id, top_k: 14, impression_count: 14, return_metadata: true })).body.body;
    const authorOf = ({ metadata }: Fields) => (metadata as { author: Fields }).author.user_id;
    const first: Fields[] = await of('r');
    expect(first.map(authorOf)).toContain('author-3');
    await block();
    const others = first.filter((item) => authorOf(item) !== 'author-3').map(({ item_id }) => item_id);
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await of('r')).map(({ item_id }: Fields) => item_id)).toEqual(others);
  });

  test.each([
    ['whom its reader blocked', () => community.block(user_id, 'friend')],
    ['who blocked its reader', () => community.block('friend', user_id)],
  ])('a repeated page does not name a followed user %s meanwhile', async (_what, block) => {
    community.server.clock.advance(1);
    await community.follow(user_id, 'friend');
    for (const item of items) await community.act('friend', 'like', item.item_id);
    const scoring = { name: 'weighted_v0.0.1', options: { weights: { affinity_all: 1, popular: 1 } } };
    const named = async () =>
      JSON.stringify((await recorded({ reasons: true, scoring })).body.body).match(/"friend"/g)?.length ?? 0;
    const before = await named();
    // Once in the social proof of each item, and once in its reasons.
    expect(before).toBe(10);
    expect(await named()).toBe(before);
    await block();
    for (let attempt = 0; attempt < 2; attempt++) expect(await named()).toBe(0);
  });

  test('a repeated page leaves out what its reader hid meanwhile', async () => {
    community.server.clock.advance(1);
    const first = ids(await recorded({}));
    await community.act(user_id, 'hide', String(first[2]));
    expect(ids(await recorded({}))).toEqual(first.toSpliced(2, 1));
  });

  test('deleting or hiding an item discards cached pages with it', async () => {
    for (const take of ['delete', 'hide'] as const) {
      await community.addItem(`short-lived-${take}`, { likes_count: 9_000 });
      const first = await page({ request_id: take });
      expect(ids(first)[0]).toBe(`short-lived-${take}`);
      if (take === 'delete') await community.remove('items', `short-lived-${take}`);
      else await community.add('items', { item_id: `short-lived-${take}`, hidden: true });
      expect(ids(await page({ request_id: take }))).not.toContain(`short-lived-${take}`);
    }
  });

  test('erasing a user who may be named discards cached pages', async () => {
    await community.follow(user_id, 'friend');
    await community.act('friend', 'like', 'item-3');
    const request = { request_id: 'e', top_k: 100 };
    expect(JSON.stringify((await page(request)).body)).toContain('"friend"');
    await community.remove('users', 'friend');
    expect(JSON.stringify((await page(request)).body)).not.toContain('"friend"');
  });

  test('erasing a user whose follows contributed discards cached pages', async () => {
    await community.follow('curator', 'author-3');
    const request = { request_id: 'f', top_k: 3, filters: { author_ids: 'following:curator' } };
    expect(ids(await page(request))).toHaveLength(3);
    await community.remove('users', 'curator');
    expect(ids(await page(request))).toEqual([]);
  });

  test('erasing a followed user who is only counted discards cached pages', async () => {
    const friends = ['f1', 'f2', 'f3', 'f4', 'f5'];
    for (const friend of friends) {
      await community.follow(user_id, friend);
      await community.act(friend, 'like', 'item-9');
    }
    const counted = async () => {
      const { body } = await page({ request_id: 'c', top_k: 100 });
      return body.body.find(({ item_id }: Fields) => item_id === 'item-9').following_engagement.like;
    };
    expect(await counted()).toBe(5);
    for (const friend of friends.slice(0, 2)) await community.remove('users', friend);
    expect(await counted()).toBe(3);
  });

  test('erasing the viewer discards cached pages', async () => {
    await community.act(user_id, 'like', 'item-50');
    const first = await page({ request_id: 'v' });
    await community.addItem('after the first', { likes_count: 40_000 });
    await community.remove('users', user_id);
    expect(ids(await page({ request_id: 'v' }))).not.toEqual(ids(first));
  });

  test('deleting an item and posting it again discards cached pages with it', async () => {
    await community.addItem('redacted', { likes_count: 9_000, text: 'my number' });
    await community.addItem('other', { likes_count: 8_000 });
    const ask = (request_id: string) => page({ request_id, return_metadata: true });
    expect(JSON.stringify((await ask('before')).body)).toContain('my number');
    await community.remove('items', 'redacted');
    await community.addItem('redacted', { likes_count: 9_000, text: 'nothing' });
    expect(JSON.stringify((await ask('before')).body)).not.toContain('my number');
    const first = await ask('after');
    await community.remove('items', 'other');
    await community.addItem('other');
    await community.addItem('newer', { likes_count: 10_000 });
    expect(ids(await ask('after'))).not.toEqual(ids(first));
    const second = await ask('after');
    await community.remove('items', 'item-1');
    await community.addItem('item-1');
    await community.addItem('newest', { likes_count: 20_000 });
    expect(ids(await ask('after'))).toEqual(ids(second));
  });

  test('an erasure while the first request is under way discards its page', async () => {
    await community.add('users', { user_id: 'gone', username: 'Alice' });
    await community.addItem('of one gone', { author_id: 'gone', likes_count: 30_000, text: 'secret' });
    const ask = () => page({ request_id: 'joined', return_metadata: true });
    let second: ReturnType<typeof ask> | undefined;
    await whileReading(community, ask, async () => {
      await community.remove('users', 'gone');
      second = ask();
    });
    const text = JSON.stringify((await second)?.body);
    expect(text).toContain('"newer"');
    expect(text).not.toMatch(/gone|secret|Alice/);
  });
});
