import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { AnswerTooLong, fetchBounded, openSocket, TooNested } from '../../src/plugin/index.ts';

let answer: (request: Request) => Response | Promise<Response>;
let paths: string[];
let server: Bun.Server<undefined>;
beforeEach(() => {
  paths = [];
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      paths.push(new URL(request.url).pathname);
      return answer(request);
    },
  });
});
afterEach(() => server.stop(true));

const BOUNDS = { timeout_ms: 30_000, bytes_max: 1_000 };
const send = (more: object = {}) => fetchBounded(`http://127.0.0.1:${server.port}/`, { ...BOUNDS, ...more });
const failure = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => undefined,
    (error) => error,
  );

describe('a bounded request', () => {
  test('sends its method, headers and body, and has the whole answer', async () => {
    answer = async (request) =>
      Response.json([request.method, request.headers.get('x-key'), await request.text()], {
        status: 201,
        headers: { 'x-own': 'yes' },
      });
    const got = await send({ method: 'POST', headers: { 'x-key': 'a' }, body: 'text' });
    expect([got.status, got.ok, got.headers.get('x-own')]).toEqual([201, true, 'yes']);
    expect(await got.json()).toEqual(['POST', 'a', 'text']);
    expect(got.text()).toBe('["POST","a","text"]');
    expect(got.bytes).toHaveLength(19);
  });

  test('accepts an answer up to its limit and no byte more, declared or not', async () => {
    const chunked = (bytes: number) =>
      new Response(
        new ReadableStream({
          start: (stream) => {
            stream.enqueue(new Uint8Array(bytes));
            stream.close();
          },
        }),
      );
    for (const of of [chunked, (bytes: number) => new Response(new Uint8Array(bytes))]) {
      answer = () => of(1_000);
      expect((await send()).bytes).toHaveLength(1_000);
      answer = () => of(1_001);
      expect(await failure(send())).toBeInstanceOf(AnswerTooLong);
    }
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect of status %d', async (status) => {
    answer = () => new Response(null, { status, headers: { location: '/secret' } });
    expect(String(await failure(send()))).toContain(
      `the answer is a redirect (${status}), which is not followed`,
    );
    expect(paths).toEqual(['/']);
  });

  test('requests no compression, and does not unpack an answer', async () => {
    answer = ({ headers }) => new Response(headers.get('accept-encoding'));
    expect((await send({ headers: { 'accept-encoding': 'gzip' } })).text()).toBe('identity');
    answer = () => new Response(Bun.gzipSync('x'), { headers: { 'content-encoding': 'gzip' } });
    expect(String(await failure(send()))).toContain(
      'the answer is compressed (gzip), which was not requested',
    );
    answer = () => new Response('x', { headers: { 'content-encoding': 'identity' } });
    expect((await send()).text()).toBe('x');
  });

  test('ends when its time is over or its signal is aborted, also within an answer', async () => {
    const stalled = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }));
    for (answer of [stalled, () => Promise.withResolvers<Response>().promise]) {
      expect(await failure(send({ timeout_ms: 20 }))).toMatchObject({ name: 'TimeoutError' });
      const stop = new AbortController();
      const stopped = failure(send({ signal: stop.signal }));
      stop.abort(new Error('stopped'));
      expect(await stopped).toMatchObject({ message: 'stopped' });
    }
  });

  test('refuses JSON that is nested too deep', async () => {
    answer = () => new Response('['.repeat(500));
    expect(await failure((await send()).json())).toBeInstanceOf(TooNested);
  });
});

test('a socket that the server does not accept in time fails', async () => {
  answer = () => Promise.withResolvers<Response>().promise;
  const socket = openSocket(`ws://127.0.0.1:${server.port}/`, { timeout_ms: 1 });
  const events: string[] = [];
  for (const event of ['open', 'error']) socket.addEventListener(event, () => events.push(event));
  await new Promise((resolve) => socket.addEventListener('close', resolve));
  expect(events).toEqual(['error']);
});
