import { describe, expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { ServiceError } from '../../../src/errors.ts';
import { RateLimiter } from '../../../src/http/identity/rate-limit.ts';
import { readSettings } from '../../../src/settings.ts';
import { testsWith } from '../../support/fixture.ts';
import { API_KEY, openTestServer, START } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { addressOf, OPERATIONS } from '../documented.ts';
import { feedPath, ingestPath, KEY } from '../support.ts';

const it = testsWith(() => openTestServer({ settings: { rate_limit: 1 } }));

/** How many of `attempts` requests of a key are let through. */
function taken(limiter: RateLimiter, key: string, attempts: number): number {
  let count = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      limiter.take(key);
      count++;
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
    }
  }
  return count;
}

describe('a bucket', () => {
  test('a bucket holds the tokens of one second, and refills with the clock', () => {
    const clock = new ManualClock(START);
    const limiter = new RateLimiter(clock, 5);
    expect(taken(limiter, 'a', 20)).toBe(5);
    clock.advance(0.4);
    expect(taken(limiter, 'a', 20)).toBe(2);
    clock.advance(3600);
    expect(taken(limiter, 'a', 20)).toBe(5);
  });

  test('each key has its own bucket', () => {
    const limiter = new RateLimiter(new ManualClock(START), 3);
    expect(taken(limiter, 'a', 10)).toBe(3);
    expect(taken(limiter, 'b', 10)).toBe(3);
  });

  test('a bucket neither gains nor loses tokens when the clock is set back', () => {
    const clock = new ManualClock(START);
    const limiter = new RateLimiter(clock, 4);
    expect(taken(limiter, 'a', 3)).toBe(3);
    clock.advance(-1000);
    expect(taken(limiter, 'a', 10)).toBe(1);
    clock.advance(0.5);
    expect(taken(limiter, 'a', 10)).toBe(2);
  });

  test('a bucket never lets through more than the rate over a long time', () => {
    const clock = new ManualClock(START);
    const limiter = new RateLimiter(clock, 7);
    let through = 0;
    for (let step = 0; step < 1000; step++) {
      through += taken(limiter, 'a', 3);
      clock.advance(0.013);
    }
    expect(through).toBeLessThanOrEqual(Math.ceil(7 + 7 * 13));
    expect(through).toBeGreaterThanOrEqual(7 * 13);
  });

  test('processes that share a limit admit an equal part each, also when their number changes', () => {
    const clock = new ManualClock(START);
    let sharers = 3;
    const limiter = new RateLimiter(clock, 12, { sharers: () => sharers });
    expect(taken(limiter, 'a', 20)).toBe(4);
    clock.advance(0.5);
    expect(taken(limiter, 'a', 20)).toBe(2);
    sharers = 2;
    clock.advance(10);
    expect(taken(limiter, 'a', 20)).toBe(6);
    sharers = 0;
    clock.advance(10);
    expect(taken(limiter, 'a', 20)).toBe(12);
  });

  test('a limit of fewer requests a second than processes lets requests through, one at a time', () => {
    const clock = new ManualClock(START);
    const limiter = new RateLimiter(clock, 2, { sharers: () => 4 });
    expect(taken(limiter, 'a', 5)).toBe(1);
    clock.advance(1);
    expect(taken(limiter, 'a', 5)).toBe(0);
    clock.advance(1);
    expect(taken(limiter, 'a', 5)).toBe(1);
  });

  test('the least recently used bucket is evicted when there are too many', () => {
    const limiter = new RateLimiter(new ManualClock(START), 1, { keys_max: 100 });
    limiter.take('first');
    for (let key = 0; key < 99; key++) limiter.take(`key ${key}`);
    expect(taken(limiter, 'first', 1)).toBe(0);
    for (let key = 0; key < 99; key++) limiter.take(`other ${key}`);
    expect(limiter.size).toBe(100);
    expect(taken(limiter, 'first', 1)).toBe(0);
    expect(taken(limiter, 'key 0', 1)).toBe(1);
  });
});

describe('over HTTP', () => {
  test('a key above its rate gets 429 with Retry-After, and works again a second later', async () => {
    await using server = await openTestServer({ settings: { rate_limit: 2 } });
    const ask = () => server.post(feedPath('popular'));
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429, status_code: 429 });
    expect(refused.body.body).toBe(refused.body.detail);
    expect(refused.body.detail).toEndWith('try again in 1 s');
    server.clock.advance(1);
    expect((await ask()).status).toBe(200);
  });

  it('every route that takes a key shares the rate limit of the key, except for the catalog', async (server) => {
    expect((await server.post(ingestPath('items'), [])).status).toBe(200);
    const limited = OPERATIONS.filter(
      ({ path, operation }) => operation.security.length > 0 && !path.startsWith('/base/'),
    );
    expect(limited.length).toBeGreaterThan(50);
    for (const operation of limited) {
      const { method, name } = operation;
      const { status } = await server.call(
        method,
        addressOf(operation),
        method === 'GET' ? undefined : {},
        KEY,
      );
      expect([name, status]).toEqual([name, 429]);
    }
    // The catalog belongs to the token and NFT API.
    for (let time = 0; time < 3; time++) expect((await server.post('/base/items', [])).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics', '/swagger', '/swagger/json']) {
      for (let time = 0; time < 3; time++) expect((await server.get(path)).status).toBe(200);
    }
  });

  it('the three ways of sending a key share one rate limit', async (server) => {
    const ask = (headers: Record<string, string>) => server.call('POST', feedPath('popular'), {}, headers);
    expect((await ask({ authorization: `Bearer ${API_KEY}` })).status).toBe(200);
    expect((await ask({ 'x-api-key': API_KEY })).status).toBe(429);
    const basic = Buffer.from(`me:${API_KEY}`).toString('base64');
    expect((await ask({ authorization: `Basic ${basic}` })).status).toBe(429);
  });

  test('one viewer with a token cannot use up the limit of the key, whose other viewers go on', async () => {
    await using server = await openTestServer({ settings: { rate_limit: 60 } });
    const tokenOf = async (user_id: string) =>
      (await server.post('/api/tokens', { user_id, ttl_seconds: 60 })).body.token as string;
    const [flooding, other] = [await tokenOf('ann'), await tokenOf('bob')];
    const ask = (token: string) =>
      server.call('POST', feedPath('popular'), {}, { authorization: `Bearer ${token}` });
    const statuses: number[] = [];
    for (let time = 0; time < 100; time++) statuses.push((await ask(flooding)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(6);
    expect((await ask(other)).status).toBe(200);
    expect((await server.post(feedPath('popular'))).status).toBe(200);
  });

  it('unknown keys and keys without the scope take no tokens', async (server) => {
    const { headers } = await newAccount(server, 'other', 'feed:read');
    for (let time = 0; time < 5; time++) {
      const wrong = await server.call('POST', feedPath('popular'), {}, { 'x-api-key': 'unknown' });
      expect(wrong.status).toBe(401);
      const lacking = await server.call('POST', ingestPath('items'), [], headers);
      expect(lacking.status).toBe(403);
    }
    expect((await server.call('POST', feedPath('popular'), {}, headers)).status).toBe(200);
  });

  test('without the setting there is no rate limit', async () => {
    await using server = await openTestServer({ settings: { rate_limit: undefined } });
    for (let time = 0; time < 50; time++) expect((await server.post(feedPath('popular'))).status).toBe(200);
  });
});

describe('the setting', () => {
  test('the rate limit is a number of requests per second', () => {
    expect(readSettings({}).rate_limit).toBeUndefined();
    expect(readSettings({ FEEDLOOM_RATE_LIMIT: '50' }).rate_limit).toBe(50);
    expect(readSettings({ FEEDLOOM_RATE_LIMIT: '50' }, { rate_limit: '7' }).rate_limit).toBe(7);
  });
  for (const bad of ['0', '-1', '1.5', 'many', 'NaN', 'Infinity', '1000001']) {
    test(`the rate limit cannot be ${bad}`, () => {
      expect(() => readSettings({ FEEDLOOM_RATE_LIMIT: bad })).toThrow('FEEDLOOM_RATE_LIMIT');
    });
  }
});
