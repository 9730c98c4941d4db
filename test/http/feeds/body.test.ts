import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { JSON_LEVELS_MAX } from '../../../src/plugin/json-scanner.ts';
import { forFile, openTestServer } from '../../support/service.ts';
import { FEED_TYPES, feedPath, ingestPath, KEY, smallestBody } from '../support.ts';

const server = await forFile(openTestServer());

const TRENDING = feedPath('trending');
const ITEMS = ingestPath('items');

/** Sends a body as it is, with the headers that are given and no others. */
function send(path: string, body: string | Uint8Array | undefined, headers: Record<string, string> = {}) {
  return server.call('POST', path, body, { ...KEY, ...headers });
}

test('a body whose sender disconnects is a client error, declared or in chunks', async () => {
  for (const path of [TRENDING, ITEMS]) {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('[{'));
        controller.error(new Error('The connection was closed.'));
      },
    });
    const answer = await server.app.handle(
      new Request(`http://localhost${path}`, { method: 'POST', body, headers: KEY }),
    );
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: 'the body ended too early' }]);
  }
  expect(server.log).toEqual([]);
});

describe('a feed request', () => {
  test('a feed request with no body, a blank one or null is the same as {}', async () => {
    for (const body of [undefined, '', ' \r\n\t ', '{}', 'null']) {
      for (const feed_type of ['trending', 'popular']) {
        const answer = await send(feedPath(feed_type), body);
        expect([body, answer.status, answer.body]).toEqual([body, 200, { status_code: 200, body: [] }]);
      }
      expect((await send(feedPath('for-you'), body)).body.errors).toEqual([
        { path: '/user_id', message: 'is required for a for-you feed (or wallet_address)' },
      ]);
    }
  });

  test('a feed request whose JSON is not an object is refused', async () => {
    for (const body of ['[]', '[{}]', '"x"', '5', 'true', 'false', '""', '0']) {
      for (const feed_type of FEED_TYPES) {
        const answer = await send(feedPath(feed_type), body);
        expect([body, answer.status]).toEqual([body, 400]);
        expect(answer.body).toMatchObject({ code: 'invalid_value', detail: 'body: must be a JSON object' });
      }
    }
  });

  test('a feed request whose body is not JSON is refused', async () => {
    const bodies = ['{', '{"top_k":', '{"top_k":5', '{top_k:5}', "{'top_k':5}", '{"top_k":NaN}', '{"a":1,}'];
    for (const body of [...bodies, '{} {}', 'hello', '{"top_k":05}', '\u0000']) {
      const answer = await send(TRENDING, body);
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'malformed_json']);
    }
  });

  test('a feed request with invalid UTF-8 is refused, and a byte order mark is accepted', async () => {
    const broken = new Uint8Array([...Buffer.from('{"user_id":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
    const answer = await send(TRENDING, broken);
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'malformed_json',
      detail: 'the body is not valid UTF-8',
    });
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from('{}')]);
    expect((await send(TRENDING, marked)).status).toBe(200);
  });

  test('a feed request that is nested too deep is refused at any depth', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const levels of [JSON_LEVELS_MAX, 5_000, 100_000, 1_000_000]) {
      for (const body of [`{"unknown":${nested(levels)}}`, `{"filters":{"channels":${nested(levels)}}}`]) {
        const answer = await send(TRENDING, body);
        expect([levels, answer.status, answer.body.code]).toEqual([levels, 400, 'invalid_value']);
      }
    }
    expect((await send(TRENDING, `{"unknown":${nested(JSON_LEVELS_MAX - 1)}}`)).status).toBe(200);
  });
});

describe('415 for', () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
  ]) {
    test(`${type}`, async () => {
      const headers = { 'content-type': type };
      for (const [path, body] of [
        [TRENDING, '{}'],
        [ITEMS, '[]'],
      ]) {
        const answer = await send(path, body, headers);
        expect(answer.status).toBe(415);
        expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
        expect(answer.body.detail).toContain('application/json');
      }
    });
  }

  test('NDJSON at a feed', async () => {
    expect((await send(TRENDING, '{}', { 'content-type': 'application/x-ndjson' })).status).toBe(415);
  });
});

test('a compressed body is refused with the name of its encoding, and identity is accepted', async () => {
  for (const [path, body] of [
    [TRENDING, '{}'],
    [ITEMS, '[]'],
  ]) {
    for (const encoding of ['gzip', 'GZIP', 'br', 'gzip, identity', 'identity, gzip']) {
      const answer = await send(path, Bun.gzipSync(body), { 'content-encoding': encoding });
      expect([encoding, answer.status, answer.body.code]).toEqual([encoding, 415, 'unsupported_media_type']);
      expect(answer.body.detail).toBe(
        `'${encoding}' is not supported as content-encoding; send the body uncompressed`,
      );
    }
    for (const encoding of ['identity', 'Identity', '', ' ']) {
      expect([encoding, (await send(path, body, { 'content-encoding': encoding })).status]).toEqual([
        encoding,
        200,
      ]);
    }
  }
});

test('JSON is accepted with parameters of the media type, in any case, and without a type', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;x=y']) {
    expect((await send(TRENDING, '{}', { 'content-type': type })).status).toBe(200);
  }
  const bytes = new TextEncoder().encode('{"top_k":3}');
  const request = new Request(`http://localhost${TRENDING}`, { method: 'POST', headers: KEY, body: bytes });
  request.headers.delete('content-type');
  expect((await server.app.handle(request)).status).toBe(200);
});

describe('413', () => {
  const detail = `the body must be at most ${LIMITS.body_bytes_max} bytes`;

  test('a declared length over the limit is refused with 413 before the body is read', async () => {
    const headers = { 'content-length': String(LIMITS.body_bytes_max + 1) };
    const answer = await send(ITEMS, '{}', headers);
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ code: 'body_too_large', detail });
    for (const [path, bytes_max] of [
      [TRENDING, LIMITS.feed_body_bytes_max],
      [`${TRENDING}/explain`, LIMITS.feed_body_bytes_max],
      ['/api/feed/config', LIMITS.config_body_bytes_max],
      ['/api/feed/preview', LIMITS.config_body_bytes_max],
    ] as const) {
      const one_more = { 'content-length': String(bytes_max + 1) };
      expect((await send(path, '{}', one_more)).body).toMatchObject({
        code: 'body_too_large',
        detail: `the body must be at most ${bytes_max} bytes`,
      });
    }
  });

  test('a body of undeclared length is refused with 413 as soon as it exceeds the limit', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const request = new Request(`http://localhost${ITEMS}`, { method: 'POST', headers: KEY, body: endless });
    const response = await server.app.handle(request);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'body_too_large', detail });
    expect(sent).toBeLessThan(24);
  });

  test('after bodies far over the limit, declared or chunked, the service still answers', async () => {
    const url = `${server.listen()}${ITEMS}`;
    const bytes = new Uint8Array(40 * 1024 * 1024);
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 1024 * 1024) {
          controller.enqueue(bytes.subarray(at, at + 1024 * 1024));
        }
        controller.close();
      },
    });
    for (const body of [bytes, chunks]) {
      const response = await fetch(url, { method: 'POST', headers: KEY, body });
      expect(response.status).toBe(413);
      expect(response.headers.get('x-request-id')).not.toBeNull();
      expect(await response.json()).toMatchObject({ code: 'body_too_large', detail });
    }
    const after = await fetch(url, { method: 'POST', headers: KEY, body: '[]' });
    expect(after.status).toBe(200);
  });

  test('a body of exactly the limit is accepted', async () => {
    const text = `[${' '.repeat(LIMITS.body_bytes_max - 2)}]`;
    expect((await send(ITEMS, text)).status).toBe(200);
    expect((await send(ITEMS, `${text} `)).status).toBe(413);
  });
});

test('a query string and unknown headers are ignored', async () => {
  const headers = { 'HTTP-Referer': 'https://client.example', 'X-Title': 'client', 'x-unknown': '1' };
  for (const feed_type of FEED_TYPES) {
    const body = JSON.stringify(smallestBody(feed_type));
    expect((await send(`${feedPath(feed_type)}?top_k=0&x=%zz`, body, headers)).status).toBe(200);
  }
});
