import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { LIMITS } from '../../src/limits.ts';
import { feedPath, ingestPath, KEY } from '../http/support.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** Bodies of brackets, which take a parser seconds and gigabytes. */

const SECRET = 'a-secret-of-the-sender';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ settings: { webhook: [`neynar?secret=${SECRET}`] } });
});
afterEach(() => server.close());

const headersFor = (body: string) => ({
  ...KEY,
  'x-neynar-signature': createHmac('sha512', SECRET).update(body).digest('hex'),
});

test.each([
  ['a feed request', feedPath('trending'), LIMITS.feed_body_bytes_max, '{"unknown":'],
  ['records', ingestPath('users'), LIMITS.body_bytes_max, '['],
  ['a list of follows', `${ingestPath('users')}/ann/follows`, LIMITS.body_bytes_max, '{"target_user_ids":'],
  ['a saved feed', '/api/feed/configs', LIMITS.config_body_bytes_max, '{"config":'],
  ['a delivery', '/v2/farcaster/hooks/neynar', LIMITS.webhook_body_bytes_max, '{"data":'],
])('the nesting of %s is refused before it is parsed', async (_, path, bytes, begin) => {
  const method = path.endsWith('follows') ? 'PUT' : 'POST';
  const send = (body: string) => server.call(method, path, body, headersFor(body));
  // A parser would refuse these texts as invalid, at their end.
  for (const [element, problem] of [
    ['[', 'levels of objects and arrays'],
    ['[],', 'objects and arrays'],
  ]) {
    const count = Math.floor((bytes - begin.length - 1) / element.length);
    const answer = await send(`${begin}[${element.repeat(count)}`);
    const is_refused = element === '[' || count > 500_000;
    expect([answer.status, answer.body.code]).toEqual([400, is_refused ? 'invalid_value' : 'malformed_json']);
    if (is_refused) expect(JSON.stringify(answer.body)).toContain(problem);
  }
  const valid = await send(`${begin}${JSON.stringify('['.repeat(1_000))}${begin === '[' ? ']' : '}'}`);
  expect(valid.body.code).not.toBe('malformed_json');
  expect(JSON.stringify(valid.body)).not.toContain('levels');
});
