import { describe, expect, test } from 'bun:test';
import { ConnectionError, FeedloomClient, FeedloomError } from 'feedloom-client';
import { BROKEN, failureOf, page, problem, Script } from './support.ts';

const VIEWER = { user_id: 'viewer' };
const SEEN = { user_id: 'viewer', impression_count: 10 };

describe('a call is sent again', () => {
  test('after the time that the service asks for, and some more', async () => {
    const script = new Script([problem(503, 'overloaded', { 'retry-after': '2' }), page(['a'])]);
    const { body } = await script.client.forYou(VIEWER);
    expect(body.map(({ item_id }) => item_id)).toEqual(['a']);
    expect(script.waits).toEqual([2200]);
  });

  test('after waits that double, spread at random, and are bounded', async () => {
    const script = new Script([...Array(9).fill(BROKEN), page([])], { attempts_max: 10 });
    await script.client.forYou(VIEWER);
    expect(script.waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000]);
  });

  test.each([429, 502, 503, 504])(
    'after status %i, also from a proxy that explains nothing',
    async (status) => {
      const script = new Script([new Response('<html>', { status }), page([])]);
      await script.client.popular();
      expect(script.sent.length).toBe(2);
    },
  );

  test('five times at most, then it fails with the last error', async () => {
    const script = new Script([...Array(4).fill(BROKEN), problem(503, 'loading')]);
    const error = await failureOf(script.client.forYou(VIEWER));
    expect(error).toBeInstanceOf(FeedloomError);
    expect(error).toMatchObject({ status: 503, code: 'loading', detail: 'about loading' });
    expect(script.sent.length).toBe(5);
  });

  test('with the same request_id if it records impressions, so that they are recorded once', async () => {
    const script = new Script([BROKEN, problem(503, 'overloaded'), page(['a']), page(['b'])]);
    await script.client.forYou(SEEN);
    await script.client.call('POST', '/v2/{network}/feeds/popular', { body: SEEN });
    const ids = script.sent.map(({ body }) => body.request_id);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(ids.slice(1, 3)).toEqual([ids[0], ids[0]]);
    expect(ids[3]).not.toBe(ids[0]);
  });

  test('with the same event_id for a comment that has neither an identifier nor a time', async () => {
    const comment = { user_id: 'a', item_id: 'i', event_type: 'comment' as const };
    const records = [comment, { ...comment, event_id: 'mine' }, { ...comment, timestamp: 5 }];
    const like = { user_id: 'a', item_id: 'i', event_type: 'like' as const };
    const answer = Response.json({ status: 'success', accepted: 4, rejected_count: 0, rejected: [] });
    const script = new Script([BROKEN, answer]);
    await script.client.ingest('interactions', [...records, like]);
    const [first, second] = script.sent.map(({ body }) => body);
    expect(second).toEqual(first);
    expect(first[0].event_id).toMatch(/^[0-9a-f]{32}$/);
    expect(first.slice(1)).toEqual([records[1], records[2], like]);
  });

  test('for a new saved feed only if the service did not begin to process it', async () => {
    const saved = () => Response.json({ message: 'saved', data: { config_id: 'feed_1' } }, { status: 201 });
    for (const [step, count] of [
      [problem(429, 'rate_limited'), 2],
      [problem(503, 'overloaded'), 2],
      [problem(503, 'store_unavailable'), 1],
      [new Response('', { status: 502 }), 1],
      [BROKEN, 1],
    ] as const) {
      const script = new Script([step, saved()]);
      await script.client.createFeed({ name: 'mine' }).catch(() => {});
      expect(script.sent.length).toBe(count);
    }
  });

  test('for a change of a saved feed, unless it names a revision', async () => {
    const saved = () => Response.json({ message: 'saved', data: { config_id: 'feed_1' } });
    const again = new Script([BROKEN, saved()]);
    await again.client.changeFeed({ config_id: 'feed_1', name: 'new' }, { merge: true });
    expect(again.sent.map(({ url }) => new URL(url).search)).toEqual(['?merge=true', '?merge=true']);
    const once = new Script([BROKEN, saved()]);
    await failureOf(once.client.changeFeed({ config_id: 'feed_1', name: 'new' }, { revision: 3 }));
    expect(once.sent.map(({ headers }) => headers.get('if-match'))).toEqual(['"3"']);
  });

  test('for an event of a wallet only if the event has a time', async () => {
    const event = { wallet_address: '0x1', item_id: 'base.0x2', event_type: 'mint' as const };
    const done = () => Response.json({ status: 'success', message: 'recorded' });
    const dated = new Script([BROKEN, done()]);
    await dated.client.call('POST', '/{chain}/events', { body: { ...event, timestamp: 5 } });
    expect(dated.sent.map(({ url }) => url)).toEqual(Array(2).fill('https://feeds.example/base/events'));
    const undated = new Script([BROKEN, done()]);
    await failureOf(undated.client.call('POST', '/{chain}/events', { body: event }));
    expect(undated.sent.length).toBe(1);
  });
});

describe('a call is not sent again', () => {
  test.each([400, 401, 403, 404, 409, 500, 507])('after status %i', async (status) => {
    const script = new Script([problem(status, 'some_code')]);
    expect(await failureOf(script.client.forYou(VIEWER))).toMatchObject({ status });
  });

  test('if the service wants more patience than a minute', async () => {
    const script = new Script([problem(503, 'overloaded', { 'retry-after': '61' })]);
    expect(await failureOf(script.client.forYou(VIEWER))).toMatchObject({ retry_after_s: 61 });
    expect(script.waits).toEqual([]);
  });

  test('after its signal was aborted', async () => {
    const stop = new AbortController();
    const script = new Script([BROKEN], {
      sleep: async () => {
        stop.abort(new Error('enough'));
      },
    });
    const error = await failureOf(script.client.forYou(VIEWER, { signal: stop.signal }));
    expect(error).toEqual(new Error('enough'));
    expect(script.sent.length).toBe(1);
  });
});

describe('without an answer', () => {
  /** A service that takes requests and never answers. */
  function silent(): Bun.Server<undefined> {
    return Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: () => new Promise<Response>(() => {}),
    });
  }

  test('an attempt ends when its time is up', async () => {
    const server = silent();
    const client = new FeedloomClient({ url: server.url, timeout_ms: 20, attempts_max: 2, random: () => 0 });
    const error = await failureOf(client.popular());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('no answer within 20 ms');
    await server.stop(true);
  });

  test('a call ends when its signal is aborted', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        resolve();
        return new Promise<Response>(() => {});
      },
    });
    const stop = new AbortController();
    const failure = failureOf(new FeedloomClient({ url: server.url }).popular({}, { signal: stop.signal }));
    await asked;
    stop.abort(new Error('enough'));
    expect(await failure).toEqual(new Error('enough'));
    await server.stop(true);
  });

  test('the error names the call and has the cause', async () => {
    const script = new Script([BROKEN], { attempts_max: 1 });
    const error = await failureOf(script.client.plugins());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: BROKEN });
    expect(String(error)).toContain('GET https://feeds.example/api/plugins: fetch failed');
  });
});

describe('a credential', () => {
  const tokens = () => {
    const asked: string[] = [];
    return { asked, token: async () => `token-${asked.push('asked')}` };
  };

  test('that is a function is called once, and again when the service refuses its token', async () => {
    const { asked, token } = tokens();
    const script = new Script([page([]), problem(401, 'unauthorized'), page([]), page([])], { token });
    for (let count = 0; count < 3; count++) await script.client.forYou({});
    const sent = script.sent.map(({ headers }) => headers.get('x-api-key'));
    expect(sent).toEqual(['token-1', 'token-1', 'token-2', 'token-2']);
    expect(asked.length).toBe(2);
  });

  test('is refused for good when the second token is refused, too', async () => {
    const script = new Script([problem(401, 'unauthorized'), problem(401, 'unauthorized')], tokens());
    expect(await failureOf(script.client.forYou({}))).toMatchObject({ code: 'unauthorized' });
  });

  test('that cannot be fetched fails the call, and is fetched again for the next one', async () => {
    let count = 0;
    const token = async () => {
      if (count++ === 0) throw new Error('not signed in');
      return 'token';
    };
    const script = new Script([page([])], { token });
    expect(await failureOf(script.client.forYou({}))).toEqual(new Error('not signed in'));
    await script.client.forYou({});
    expect(script.sent.length).toBe(1);
  });
});
