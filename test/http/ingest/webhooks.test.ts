import { afterEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { StartupError } from '../../../src/errors.ts';
import { openTestServer, START, type TestServer } from '../../support/service.ts';

const PLUGIN = join(import.meta.dir, '..', 'announcing-plugin.ts');
const ID = 'acme/announcing_v1.0.0';
const SECRET = 'a-secret-of-the-sender';
const NEYNAR = `neynar?secret=${SECRET}`;
const CAST = `0x${'1'.repeat(40)}`;

const open: TestServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(webhook: readonly string[]): Promise<TestServer> {
  const server = await openTestServer({ settings: { plugins: PLUGIN, webhook } });
  open.push(server);
  return server;
}

const neynarSignature = (body: string, secret = SECRET): Record<string, string> => ({
  'x-neynar-signature': createHmac('sha512', secret).update(body).digest('hex'),
});
const acmeSignature = (body: string, secret = SECRET): Record<string, string> => ({
  'x-acme-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
});

const deliver = (server: TestServer, name: string, body: string, headers: Record<string, string>) =>
  server.call('POST', `/v2/farcaster/hooks/${name}`, body, headers);

const castCreated = JSON.stringify({
  created_at: START - 5,
  type: 'cast.created',
  data: {
    object: 'cast',
    hash: CAST,
    author: { fid: 2, username: 'ann' },
    text: 'hello',
    timestamp: new Date((START - 10) * 1000).toISOString(),
    embeds: [],
  },
});

const read = (server: TestServer, path: string) => server.get(path);
const status = async (server: TestServer) => (await read(server, '/api/webhooks')).body.data[0];

describe('a webhook', () => {
  test('stores the records of a signed delivery, and a repeated delivery changes nothing', async () => {
    const server = await serve([NEYNAR]);
    const first = await deliver(server, 'neynar', castCreated, neynarSignature(castCreated));
    expect(first).toMatchObject({ status: 200, body: { status: 'success', accepted: 2, rejected_count: 0 } });
    expect((await read(server, `/v2/farcaster/items/${CAST}`)).body).toMatchObject({
      author_id: '2',
      text: 'hello',
    });
    const { seq } = server.service.state;
    expect((await deliver(server, 'neynar', castCreated, neynarSignature(castCreated))).status).toBe(200);
    expect(server.service.state.seq).toBe(seq);
    expect(await status(server)).toMatchObject({
      webhook: 'neynar',
      deliveries_count: 2,
      records_count: 4,
      unsigned_count: 0,
      last_stored_at: START,
    });
  });

  test.each([
    ['no signature', {}],
    ['an empty signature', { 'x-neynar-signature': '' }],
    ['a short signature', { 'x-neynar-signature': 'abcd' }],
    ['the signature of another secret', neynarSignature(castCreated, 'another-secret-text')],
    ['the signature of another body', neynarSignature(`${castCreated} `)],
    ['a signature with the wrong prefix', { 'x-neynar-signature': `sha512=${'a'.repeat(128)}` }],
  ])('answers 401 to %s, and stores nothing', async (_, headers) => {
    const server = await serve([NEYNAR]);
    const { status: code, body } = await deliver(server, 'neynar', castCreated, headers);
    expect(code).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
    expect(JSON.stringify(body) + server.log.join()).not.toContain(SECRET);
    expect((await read(server, `/v2/farcaster/items/${CAST}`)).status).toBe(404);
    expect(await status(server)).toMatchObject({ deliveries_count: 0, unsigned_count: 1 });
  });

  test('refuses a sender without a signature before it reads the body', async () => {
    const server = await serve([NEYNAR]);
    const long = 'x'.repeat(4 * 1024 * 1024);
    expect((await deliver(server, 'neynar', long, {})).status).toBe(401);
    expect((await deliver(server, 'neynar', long, neynarSignature(long))).status).toBe(413);
  });

  test('accepts any of several secrets', async () => {
    const server = await serve([`${NEYNAR}&secret=the-next-secret-text`]);
    for (const secret of [SECRET, 'the-next-secret-text'])
      expect(
        (await deliver(server, 'neynar', castCreated, neynarSignature(castCreated, secret))).status,
      ).toBe(200);
  });

  test('verifies other algorithms, and is named by its label', async () => {
    const server = await serve([`${ID}?secret=${SECRET}`, `${ID}#forum?secret=${SECRET}&kind=rows`]);
    const record = { kind: 'follow', record: { user_id: 'ann', target_user_id: 'ben', timestamp: START } };
    const [body, labelled] = [JSON.stringify({ records: [record] }), JSON.stringify({ rows: [record] })];
    expect((await deliver(server, 'announcing', body, acmeSignature(body))).body).toMatchObject({
      accepted: 1,
    });
    expect((await deliver(server, 'forum', labelled, acmeSignature(labelled))).body).toMatchObject({
      accepted: 1,
    });
    expect((await deliver(server, 'other', body, acmeSignature(body))).status).toBe(404);
  });

  test('names bad records, and stores the others in their order', async () => {
    const server = await serve([`${ID}?secret=${SECRET}`]);
    const user = (user_id: string) => ({ kind: 'user', record: { user_id, username: user_id } });
    const many = Array.from({ length: 300 }, (_, at) => user(`u${at}`));
    const erased = { kind: 'user_deletion', record: { user_id: 'u1', timestamp: START } };
    const records = [...many, erased, user('after'), { kind: 'post', record: {} }, user('')];
    const body = JSON.stringify({ records });
    const answer = await deliver(server, 'announcing', body, acmeSignature(body));
    expect(answer).toMatchObject({ status: 200, body: { accepted: 302, rejected_count: 2 } });
    expect(answer.body.rejected.map(({ index }: { index: number }) => index)).toEqual([302, 303]);
    expect((await read(server, '/v2/farcaster/users/u1')).status).toBe(404);
    expect((await read(server, '/v2/farcaster/users/after')).status).toBe(200);
  });

  test('answers 400 to signed deliveries that cannot be mapped', async () => {
    const server = await serve([`${ID}?secret=${SECRET}`]);
    const failure = async (body: string) => {
      const answer = await deliver(server, 'announcing', body, acmeSignature(body));
      expect(answer.status).toBe(400);
      return answer.body.detail;
    };
    expect(await failure('{')).toContain('not valid JSON');
    expect(await failure('{}')).toBe('the delivery cannot be mapped: it has no records');
    expect(await failure('{"records":5}')).toContain('no list of records');
    expect(await failure('['.repeat(10_000) + ']'.repeat(10_000))).toContain('levels');
    expect(await status(server)).toMatchObject({ failed_count: 2, last_error_at: START });
  });

  test('refuses a body that is too large', async () => {
    const server = await serve([`${ID}?secret=${SECRET}`]);
    const body = JSON.stringify({ records: [], text: 'x'.repeat(1024 * 1024) });
    expect((await deliver(server, 'announcing', body, acmeSignature(body))).status).toBe(413);
  });

  test('counts deliveries and records in the metrics', async () => {
    const server = await serve([NEYNAR]);
    await deliver(server, 'neynar', castCreated, neynarSignature(castCreated));
    await deliver(server, 'neynar', castCreated, {});
    const { body: text } = await server.call('GET', '/metrics');
    expect(text).toContain('feedloom_webhook_deliveries_total{webhook="neynar",result="stored"} 1');
    expect(text).toContain('feedloom_webhook_deliveries_total{webhook="neynar",result="unsigned"} 1');
    expect(text).toContain('feedloom_webhook_records_total{webhook="neynar"} 2');
  });
});

describe('the setting', () => {
  test.each([
    [
      ['nothing?secret=0123456789abcdef'],
      "'nothing' is no webhook; allowed are neynar, acme/announcing_v1.0.0",
    ],
    [['neynar'], "'neynar' needs 1 to 4 options 'secret' of at least 16 characters"],
    // Deliveries would never match such a secret.
    [[`neynar?secret=${SECRET}%0A%0A`], 'without blanks and line ends around them'],
    [[`neynar?secret=+${SECRET}`], 'without blanks and line ends around them'],
    [['neynar&secret=0123456789abcdef'], "'neynar…' is no webhook"],
    [['neynar#one&secret=0123456789abcdef'], "'neynar#one…' has a bad label"],
    [['neynar?secret=short'], "needs 1 to 4 options 'secret'"],
    [['neynar#a b?secret=0123456789abcdef'], 'has a bad label'],
    [[`${NEYNAR}&url=x`], "has no option 'url'; its options are none"],
    [[NEYNAR, NEYNAR], "'neynar' is configured twice"],
  ])('%p is refused', async (webhook, reason) => {
    const error: unknown = await serve(webhook).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    const { message } = error as StartupError;
    expect(message).toContain(reason);
    expect(message).not.toMatch(/short|0123456789abcdef|a-secret/);
  });
});
