import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { lexicons } from '@atproto/api';
import fc from 'fast-check';
import { DID } from '../../support/did-server.ts';
import { checkAsync } from '../../support/long.ts';
import {
  BlueskyScene,
  feedUri,
  GET_SKELETON,
  postsOf,
  postUri,
  SEND_INTERACTIONS,
} from '../bluesky-support.ts';

let scene: BlueskyScene;
beforeEach(async () => {
  scene = await BlueskyScene.open();
});
afterEach(() => scene.close());

const DESCRIBE = 'app.bsky.feed.describeFeedGenerator';

describe('GET /.well-known/did.json', () => {
  test('the DID document is of did:web with the host of the request', async () => {
    const { status, body } = await scene.get('/.well-known/did.json', undefined, {
      host: 'Feeds.Example.com:8443',
    });
    expect([status, body]).toEqual([
      200,
      {
        '@context': ['https://www.w3.org/ns/did/v1'],
        id: 'did:web:feeds.example.com%3A8443',
        service: [
          { id: '#bsky_fg', type: 'BskyFeedGenerator', serviceEndpoint: 'https://feeds.example.com:8443' },
        ],
      },
    ]);
  });

  test.each(['[::1]', 'a b', 'a/b', 'a:b', '.com', 'a@b', `${'a'.repeat(300)}.com`])(
    'a host that has no did:web is refused: %p',
    async (host) => {
      const { status, body } = await scene.get('/.well-known/did.json', undefined, { host });
      expect([status, body.code]).toEqual([400, 'invalid_value']);
    },
  );

  test('the setting decides, whatever the host of the request', async () => {
    const bluesky_did = 'did:web:feeds.example.com';
    await using set = await BlueskyScene.open({ bluesky_did });
    const { body } = await set.get('/.well-known/did.json', undefined, { host: '[::1]' });
    expect([body.id, body.service[0].serviceEndpoint]).toEqual([bluesky_did, 'https://feeds.example.com']);
  });

  test('the document of a did:plc is not here', async () => {
    await using set = await BlueskyScene.open({ bluesky_did: DID });
    expect((await set.get('/.well-known/did.json')).status).toBe(404);
  });
});

describe('describeFeedGenerator', () => {
  test('public, active feeds with a record key are listed', async () => {
    await scene.addFeed('home');
    await scene.addFeed('hidden', { visibility: 'private' });
    await scene.addFeed('template', { visibility: 'template' });
    await scene.addFeed('off', { status: 'inactive' });
    const { status, body } = await scene.get(`/xrpc/${DESCRIBE}`);
    expect([status, body]).toEqual([200, { did: 'did:web:localhost', feeds: [{ uri: feedUri('home') }] }]);
    lexicons.assertValidXrpcOutput(DESCRIBE, body);
  });

  test('feeds belong to the publisher of the settings', async () => {
    await using set = await BlueskyScene.open({ bluesky_publisher_did: DID });
    await set.addFeed('home');
    await set.addPosts('a');
    const { body } = await set.get(`/xrpc/${DESCRIBE}`);
    expect(body).toEqual({ did: 'did:web:localhost', feeds: [{ uri: feedUri('home', DID) }] });
    expect(postsOf(await set.skeleton({ feed: feedUri('home', DID) }))).toEqual([postUri('a')]);
    expect((await set.skeleton({ feed: feedUri('home') })).status).toBe(400);
  });
});

describe('getFeedSkeleton', () => {
  test('a page has posts in the order of the feed, and is valid by the lexicon', async () => {
    await scene.addPosts('a', 'b', 'c');
    const feed_id = await scene.addFeed('home');
    const answer = await scene.skeleton();
    expect(answer.status).toBe(200);
    expect(answer.body.feed).toEqual(
      ['a', 'b', 'c'].map((rkey) => ({ post: postUri(rkey), feedContext: feed_id })),
    );
    expect(answer.body.cursor).toBeUndefined();
    expect(answer.body.reqId).toBe(answer.headers.get('x-request-id'));
    lexicons.assertValidXrpcOutput(GET_SKELETON, answer.body);
  });

  test('a page has 50 posts unless the limit says otherwise', async () => {
    await scene.addPosts(...Array.from({ length: 120 }, (_, index) => `p${index}`));
    await scene.addFeed('home', { config: { top_k: 7, page_size: 3 } });
    for (const [query, length] of [
      [{}, 50],
      [{ limit: 1 }, 1],
      [{ limit: 100 }, 100],
    ] as const)
      expect(postsOf(await scene.skeleton(query))).toHaveLength(length);
  });

  test.each([
    feedUri('gone'),
    feedUri('hidden'),
    feedUri('home', DID),
    feedUri('home/x'),
    'at://did:web:localhost/app.bsky.feed.post/home',
    'home',
    '../home',
  ])('an unknown feed is a 400 UnknownFeed: %p', async (feed) => {
    await scene.addFeed('home');
    await scene.addFeed('hidden', { visibility: 'private' });
    const { status, body } = await scene.skeleton({ feed });
    expect([status, body.error]).toEqual([400, 'UnknownFeed']);
  });

  test('a feed is not served any more once it is private', async () => {
    const config_id = await scene.addFeed('home');
    expect((await scene.skeleton()).status).toBe(200);
    const headers = { authorization: 'Bearer test-key' };
    await scene.server.call('PATCH', '/api/feed/config', { config_id, visibility: 'private' }, headers);
    expect((await scene.skeleton()).body.error).toBe('UnknownFeed');
  });

  test('the viewer of the token gets a personal page', async () => {
    await scene.addPosts('a', 'b', 'c');
    await scene.addFeed('home');
    const like = { user_id: DID, item_id: postUri('a'), event_type: 'like' };
    expect((await scene.server.post('/v2/farcaster/interactions', like)).status).toBe(200);
    expect(postsOf(await scene.skeleton({}, await scene.token()))).toEqual(['b', 'c'].map(postUri));
    expect(postsOf(await scene.skeleton())).toEqual(['a', 'b', 'c'].map(postUri));
  });

  test('a for-you feed is answered without a viewer', async () => {
    await scene.addPosts('a', 'b');
    await scene.addFeed('home', { endpoint: 'feeds/for-you' });
    expect(postsOf(await scene.skeleton())).toHaveLength(2);
    expect(postsOf(await scene.skeleton({}, await scene.token()))).toHaveLength(2);
  });

  test('a cursor of another viewer is refused', async () => {
    await scene.addPosts('a', 'b', 'c');
    await scene.addFeed('home');
    const { body } = await scene.skeleton({ limit: 1 });
    expect((await scene.skeleton({ limit: 1, cursor: body.cursor })).status).toBe(200);
    expect((await scene.skeleton({ limit: 1, cursor: '' })).status).toBe(200);
    const refused = await scene.skeleton({ limit: 1, cursor: body.cursor }, await scene.token());
    expect([refused.status, refused.body.error]).toEqual([400, 'InvalidRequest']);
    expect((await scene.skeleton({ cursor: 'x' })).status).toBe(400);
  });

  test('items that are not posts of Bluesky are left out, and the feed goes on behind them', async () => {
    const others = [
      'plain',
      'at://x/app.bsky.feed.post/1',
      `at://${DID}/app.bsky.feed.like/1`,
      postUri('..'),
    ];
    await scene.addItems(...others, postUri('a'), 'more', postUri('b'));
    await scene.addFeed('home');
    const first = await scene.skeleton({ limit: 1 });
    expect(first.body.feed).toEqual([]);
    const posts: string[] = [];
    for (let cursor = first.body.cursor; cursor !== undefined; ) {
      const page = await scene.skeleton({ limit: 1, cursor });
      expect(page.status).toBe(200);
      posts.push(...postsOf(page));
      cursor = page.body.cursor;
    }
    expect(posts).toEqual(['a', 'b'].map(postUri));
  });

  test('a walk to the end gives each post once, with any limits and any items in between', async () => {
    const rkeys = Array.from({ length: 60 }, (_, index) => `p${index}`);
    await scene.addItems(
      ...rkeys.flatMap((rkey, index) =>
        index % 3 === 0 ? [`other-${rkey}`, postUri(rkey)] : [postUri(rkey)],
      ),
    );
    await scene.addFeed('home');
    const limits = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    await checkAsync(15, [limits, fc.boolean()], async (given, with_viewer) => {
      const token = with_viewer ? await scene.token() : undefined;
      const posts: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page === 0 || cursor !== undefined; page++) {
        const limit = given[page % given.length];
        const answer = await scene.skeleton({ limit, ...(cursor === undefined ? {} : { cursor }) }, token);
        lexicons.assertValidXrpcOutput(GET_SKELETON, answer.body);
        expect(answer.body.feed.length).toBeLessThanOrEqual(limit);
        posts.push(...postsOf(answer));
        cursor = answer.body.cursor;
      }
      expect(posts.toSorted()).toEqual(rkeys.map(postUri).toSorted());
    });
  });
});

describe('sendInteractions', () => {
  const event = (name: string) => `app.bsky.feed.defs#${name}`;
  const insight = async () => {
    const path = `/v2/farcaster/users/${DID}`;
    const { status, body } = await scene.server.get(path);
    return status === 404 ? [] : body.interactions;
  };

  test('each event becomes what it means', async () => {
    const meanings = {
      requestLess: 'hide',
      requestMore: 'bookmark',
      clickthroughItem: 'view',
      clickthroughAuthor: 'view',
      clickthroughReposter: 'view',
      clickthroughEmbed: 'view',
      interactionLike: 'like',
      interactionRepost: 'share',
      interactionReply: 'view',
      interactionQuote: 'share',
      interactionShare: 'share',
    };
    const names = Object.keys(meanings);
    await scene.addPosts(...names);
    const feed_id = await scene.addFeed('home');
    const sent = names.map((name) => ({
      item: postUri(name),
      event: event(name),
      feedContext: feed_id,
      reqId: 'r',
    }));
    const { status, body } = await scene.send(sent);
    expect([status, body]).toEqual([200, {}]);
    lexicons.assertValidXrpcOutput(SEND_INTERACTIONS, body);
    const stored: { item_id: string; event_type: string }[] = await insight();
    const acts = stored.map(({ item_id, event_type }): [string, string] => [item_id, event_type]);
    expect(Object.fromEntries(acts)).toEqual(
      Object.fromEntries(Object.entries(meanings).map(([name, act]) => [postUri(name), act])),
    );
  });

  test('a post that was seen, and one that the viewer wants less of, are not shown again', async () => {
    await scene.addPosts('a', 'b', 'c', 'd');
    await scene.addFeed('home');
    const acts = [
      { item: postUri('a'), event: event('interactionSeen') },
      { item: postUri('a'), event: event('interactionSeen') },
      { item: postUri('c'), event: event('requestLess') },
    ];
    expect((await scene.send(acts)).status).toBe(200);
    expect(postsOf(await scene.skeleton({}, await scene.token()))).toEqual(['b', 'd'].map(postUri));
    expect(postsOf(await scene.skeleton())).toHaveLength(4);
  });

  test.each(['before', 'after', 'after it is undone, not when'])(
    'a like that is reported %s it is read from the network counts once, and is undone with its record',
    async (order) => {
      await scene.addPosts('a');
      await scene.addFeed('home');
      const { server } = scene;
      const path = '/v2/farcaster/interactions';
      const likes_count = async () => {
        const key = { authorization: 'Bearer test-key' };
        const { body } = await server.call(
          'GET',
          `/v2/farcaster/items?item_id=${postUri('a')}`,
          undefined,
          key,
        );
        return body.likes_count;
      };
      const before = await likes_count();
      const report = async () =>
        expect((await scene.send([{ item: postUri('a'), event: event('interactionLike') }])).status).toBe(
          200,
        );
      // Own likes count from the time of the counter that was ingested with the item.
      server.clock.advance(600);
      const now = server.clock.now();
      const record = {
        user_id: DID,
        item_id: postUri('a'),
        event_type: 'like',
        event_id: 'e1',
        timestamp: now - 2,
      };
      if (order === 'before') await report();
      expect((await server.post(path, record)).status).toBe(200);
      if (order === 'after') await report();
      expect(await likes_count()).toBe(before + 1);
      server.clock.advance(5);
      const undone = { user_id: DID, event_id: 'e1', action: 'remove', timestamp: server.clock.now() };
      expect((await server.post(path, undone)).status).toBe(200);
      if (order.startsWith('after it is undone')) await report();
      expect(await likes_count()).toBe(before);
    },
  );

  test('entries that say nothing here are ignored, and change nothing', async () => {
    await scene.addPosts('a');
    await scene.addFeed('home');
    const hidden = await scene.addFeed('hidden', { visibility: 'private' });
    const before = scene.server.service.state.seq;
    const like = { item: postUri('a'), event: event('interactionLike') };
    const ignored = [
      {},
      { ...like, item: postUri('unknown') },
      { ...like, item: undefined },
      { ...like, event: 'interactionLike' },
      { ...like, event: event('toString') },
      { ...like, event: undefined },
      { ...like, feedContext: hidden },
      { ...like, feedContext: 'feed_9' },
      { ...like, feedContext: '' },
    ];
    expect((await scene.send(ignored)).status).toBe(200);
    expect(scene.server.service.state.seq).toBe(before);
    expect((await scene.send([])).status).toBe(200);
    expect((await scene.send([like])).status).toBe(200);
    expect(scene.server.service.state.seq).toBeGreaterThan(before);
  });

  test('a call without a token, or with one of another method, is a 401 before the body is read', async () => {
    const path = `/xrpc/${SEND_INTERACTIONS}`;
    const without = await scene.server.call('POST', path, '{');
    expect([without.status, without.body.error]).toEqual([401, 'AuthenticationRequired']);
    expect((await scene.send([], await scene.token())).status).toBe(401);
  });
});

describe('XRPC', () => {
  test('errors of every kind have the form of XRPC', async () => {
    const key = { authorization: 'Bearer test-key' };
    for (const [method, path, status, error] of [
      ['GET', '/xrpc/app.bsky.feed.getTimeline', 404, 'XRPCNotSupported'],
      ['POST', '/xrpc/app.bsky.feed.getTimeline', 404, 'XRPCNotSupported'],
      ['POST', `/xrpc/${GET_SKELETON}`, 405, 'InvalidRequest'],
      ['GET', `/xrpc/${SEND_INTERACTIONS}`, 405, 'InvalidRequest'],
      ['GET', `/xrpc/${GET_SKELETON}`, 400, 'InvalidRequest'],
    ] as const) {
      const answer = await scene.server.call(method, path, undefined, key);
      expect([path, answer.status, answer.body.error]).toEqual([path, status, error]);
      expect(Object.keys(answer.body)).toEqual(['error', 'message']);
      expect(answer.headers.get('x-request-id')).toBeString();
    }
  });

  test('a viewer has a rate limit', async () => {
    await using limited = await BlueskyScene.open({ rate_limit: 2 });
    await limited.addFeed('home');
    const token = await limited.token();
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await limited.skeleton({}, token)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const { body, headers } = await limited.skeleton({}, token);
    expect([body.error, headers.get('retry-after')]).toEqual(['RateLimitExceeded', '1']);
    expect((await limited.skeleton()).status).toBe(200);
  });
});
