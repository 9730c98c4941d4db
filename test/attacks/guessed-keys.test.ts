import { afterAll, beforeAll, expect, test } from 'bun:test';
import pino from 'pino';
import { createApp } from '../../src/http/app.ts';
import { KeyRing } from '../../src/http/identity/auth.ts';
import { Host } from '../../src/http/transport/host.ts';
import { LIMITS } from '../../src/limits.ts';
import { newKey } from '../../src/store/keys.ts';
import { editAt } from '../support/edit.ts';
import { API_KEY, openTestService, START, type TestService } from '../support/service.ts';

/** Somebody guesses keys, by one connection and by many. */

let opened: TestService;
let app: ReturnType<typeof createApp>;
let now_ms = 0;

beforeAll(async () => {
  opened = await openTestService();
  const { service } = opened;
  const keys = new KeyRing(service.store, { clock: service.clock, api_key: API_KEY });
  await keys.refresh();
  const host = new Host(pino({ enabled: false }), { monotonic: () => now_ms });
  host.open(service, keys);
  app = createApp(host, service.settings).listen({ port: 0, hostname: '127.0.0.1' });
});
afterAll(async () => {
  await app.stop(true);
  await opened.close();
});

/** A complete answer with its status and the size of its body. */
const ANSWER = /^HTTP\/1\.1 (\d+)[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i;

/** Sends requests by one connection, each after the answer to the one before. @returns the statuses, in order */
function statuses(keys: readonly string[]): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const received: number[] = [];
  let text = '';
  const sendNext = (socket: Bun.Socket): void => {
    const key = keys[received.length];
    if (key === undefined) socket.end();
    else socket.write(`GET /api/languages HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`);
  };
  Bun.connect({
    hostname: '127.0.0.1',
    port: app.server?.port ?? 0,
    socket: {
      open: sendNext,
      data: (socket, bytes) => {
        text += bytes.toString('latin1');
        const [head = '', status, length] = ANSWER.exec(text) ?? [];
        if (head === '' || text.length < head.length + Number(length)) return;
        text = '';
        received.push(Number(status));
        sendNext(socket);
      },
      close: () => resolve(received),
      error: (_, error) => reject(error),
    },
  }).catch(reject);
  return promise;
}

const wrong = (count: number) => Array.from({ length: count }, newKey);
const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const { wrong_keys_per_second: by_connection, wrong_keys_per_second_in_all: in_all } = LIMITS;

test('wrong keys of one connection are limited, and its known key is not', async () => {
  now_ms += 60_000;
  const guesses = [...wrong(by_connection + 20), API_KEY, ...wrong(5), API_KEY];
  expect(await statuses(guesses)).toEqual([
    ...times(by_connection, 401),
    ...times(20, 429),
    200,
    ...times(5, 429),
    200,
  ]);
  now_ms += 1_000;
  expect(await statuses(wrong(1))).toEqual([401]);
});

test('wrong keys of many connections are limited together, and known keys are not', async () => {
  now_ms += 60_000;
  const rounds = await Promise.all(Array.from({ length: 40 }, () => statuses([...wrong(5), API_KEY])));
  const counted = Map.groupBy(rounds.flat(), (status) => status);
  expect([401, 429, 200].map((status) => counted.get(status)?.length)).toEqual([in_all, 200 - in_all, 40]);
});

test('a key that was created during a flood of wrong keys is accepted at once', async () => {
  now_ms += 60_000;
  await Promise.all(Array.from({ length: 30 }, () => statuses(wrong(4))));
  const { key } = await opened.service.store.keys.create('acme', ['feed:read'], editAt(START));
  expect(await statuses([...wrong(2), key])).toEqual([429, 429, 200]);
});
