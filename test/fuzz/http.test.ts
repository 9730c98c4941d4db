import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  API_KEY,
  killAll,
  type ServiceProcess,
  startService,
} from '../simulation/support/service-process.ts';
import { times } from '../support/long.ts';
import { Chance, SEED } from './chance.ts';
import { DOORS } from './doors.ts';
import { exchange, type SentRequest, send } from './http-client.ts';
import { faultOf, operationOf, operations } from './judge.ts';
import { mutatedRequest } from './mutated-request.ts';
import { mutatedBytes } from './mutations.ts';

/** Number of inputs per endpoint. */
const CASES = times(100);

/**
 * Random requests to a running service: valid ones with a mutation.
 *
 * Each must get a documented status, and a problem if it is refused. Failed requests are kept in `corpus.json`.
 */

const CORPUS = join(import.meta.dir, 'corpus.json');

let data: string;
let service: ServiceProcess;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'feedloom-fuzz-'));
  service = await startService(data);
  for (const door of DOORS) await send(service.address, soundRequest(door));
});
afterAll(async () => {
  await killAll();
  rmSync(data, { recursive: true, force: true });
});

function soundRequest({
  method,
  target,
  json,
  text,
  type = 'application/json',
}: (typeof DOORS)[number]): SentRequest {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const headers: [string, string][] = [
    ['authorization', `Bearer ${API_KEY}`],
    ['content-type', type],
  ];
  return body === undefined ? { method, target, headers } : { method, target, headers, body: btoa(body) };
}

async function faultOfAnswer(request: SentRequest): Promise<string | undefined> {
  try {
    return faultOf(request, await send(service.address, request));
  } catch (error) {
    return String(error);
  }
}

async function expectWell(): Promise<void> {
  for (const target of ['/healthz', '/readyz']) {
    const { status } = await send(service.address, { method: 'GET', target, headers: [] });
    expect([target, status]).toEqual([target, 200]);
  }
  const page = soundRequest({
    method: 'POST',
    target: '/v2/farcaster/casts/feed/popular',
    json: { top_k: 3 },
  });
  expect((await send(service.address, page)).status).toBe(200);
}

function errorsIn(log: readonly string[]): string[] {
  return log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
}

describe('a running service', () => {
  test('a running service answers every valid request as documented', async () => {
    for (const door of DOORS) {
      const request = soundRequest(door);
      expect({ request, fault: await faultOfAnswer(request) }).toEqual({ request, fault: undefined });
    }
  });

  test('the fuzzed requests cover every documented operation', () => {
    const asked = new Set(DOORS.map(operationOf));
    expect(operations().filter((operation) => !asked.has(operation))).toEqual([]);
  });

  test('a running service answers requests that failed before', async () => {
    const corpus = JSON.parse(readFileSync(CORPUS, 'utf8')) as SentRequest[];
    for (const request of corpus)
      expect({ request, fault: await faultOfAnswer(request) }).toEqual({ request, fault: undefined });
    await expectWell();
  });

  test(`a running service answers ${CASES} mutated requests as documented, seed ${SEED}`, async () => {
    const chance = new Chance(SEED);
    const failed: { request: SentRequest; fault: string }[] = [];
    for (let at = 0; at < CASES && failed.length < 20; at++) {
      const request = mutatedRequest(chance);
      const fault = await faultOfAnswer(request);
      if (fault !== undefined) failed.push({ request, fault });
      if (at % 1_000 === 999) await expectWell();
    }
    await expectWell();
    expect(failed).toEqual([]);
    expect(errorsIn(service.log)).toEqual([]);
  }, 3_600_000);

  test(`a running service survives ${CASES} requests that are not valid HTTP, seed ${SEED}`, async () => {
    const chance = new Chance(SEED + 1);
    for (let at = 0; at < CASES; at++) {
      const { method, target, headers, body = '' } = soundRequest(chance.pick(DOORS));
      const head = [
        `${method} ${target} HTTP/1.1`,
        'host: x',
        'connection: close',
        ...headers.map((header) => header.join(': ')),
      ];
      const whole = Buffer.concat([
        Buffer.from(`${head.join('\r\n')}\r\ncontent-length: ${chance.pick([body.length, 0, 3])}\r\n\r\n`),
        Buffer.from(body, 'base64'),
      ]);
      let bytes: Uint8Array = whole;
      for (let times = 1 + chance.below(4); times > 0; times--) bytes = mutatedBytes(bytes, chance);
      // The service may still wait for the rest of a request.
      await exchange(service.address, bytes, 50).catch(() => {});
    }
    await expectWell();
    expect(errorsIn(service.log)).toEqual([]);
  }, 3_600_000);

  test('a service stops cleanly after the requests, and starts again with its data', async () => {
    expect(await service.stop()).toBe(0);
    expect(await service.stderr).toBe('');
    service = await startService(data);
    await expectWell();
    expect(await service.stop()).toBe(0);
  });
});
