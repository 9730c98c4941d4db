import { afterEach, beforeEach, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { beginBody, type Sending } from '../../support/sent-body.ts';
import type { TestServer } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { type Community, feedPath, ingestPath, KEY, openCommunity } from '../support.ts';

/** Clients that send a request and withhold its body. */

const SECOND_MS = 1_000;
const PATIENCE_MS = LIMITS.body_seconds * SECOND_MS;

let community: Community;
let host: TestServer['host'];
let app: TestServer['app'];
let now_ms: number;
let look: () => void;
beforeEach(async () => {
  now_ms = 0;
  look = () => {};
  const timers = {
    after(_: number, run: () => void) {
      look = run;
      return () => {};
    },
  };
  community = await openCommunity({
    settings: { webhook: ['neynar?secret=a-secret-of-the-sender'] },
    hosting: { timers, monotonic: () => now_ms },
  });
  ({ host, app } = community.server);
});
afterEach(() => community.server.close());

/** @param declared undefined: the length is not */
function begin(path: string, declared: number | undefined, key: Record<string, string> = KEY): Sending {
  return beginBody(app, path, declared, key);
}

/** Passes time in steps of a second, after each of which the service looks for late bodies. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += SECOND_MS) {
    now_ms += SECOND_MS;
    look();
    await new Promise(setImmediate);
  }
}

async function expectLate({ answer }: Sending, seconds: number): Promise<void> {
  const response = await answer;
  expect(await response.json()).toMatchObject({
    status: 400,
    code: 'malformed_json',
    detail: `the body has not arrived within ${seconds} s of its request`,
  });
  expect(response.headers.get('connection')).toBe('close');
}

test.each([
  ['a wallet event', '/base/events', 50],
  ['a wallet event of undeclared length', '/base/events', undefined],
  ['a delivery to a webhook', '/v2/farcaster/hooks/neynar', 50],
  ['a large delivery to a webhook', '/v2/farcaster/hooks/neynar', 1_000_000],
])('%s, which needs no key, has less time to arrive', async (_, path, declared) => {
  const late = begin(path, declared, { 'x-neynar-signature': 'a'.repeat(128) });
  await pass((LIMITS.keyless_body_seconds - 1) * SECOND_MS);
  expect(host.requests.count).toBe(1);
  await pass(SECOND_MS);
  await expectLate(late, LIMITS.keyless_body_seconds);
});

test.each([
  ['a feed request', feedPath('popular'), 50],
  ['a feed request of undeclared length', feedPath('popular'), undefined],
  ['records of a large body', ingestPath('users'), 1_000_000],
  ['a configuration', '/api/feed/config', 100_000],
])('%s that stalls times out, and its connection is closed', async (_, path, declared) => {
  const late = begin(path, declared);
  await pass(PATIENCE_MS);
  await expectLate(late, LIMITS.body_seconds);
  expect([host.requests.count, host.requests.body_bytes]).toEqual([0, 0]);
});

test('a body that arrives in time is read while others time out', async () => {
  const late = begin(feedPath('popular'), 2);
  await pass(PATIENCE_MS / 2);
  const in_time = begin(feedPath('popular'), 2);
  await pass(PATIENCE_MS / 2);
  await expectLate(late, LIMITS.body_seconds);
  void in_time.send('{}');
  in_time.end();
  expect((await in_time.answer).status).toBe(200);
});

test('a large body is read as long as it arrives at the minimum rate', async () => {
  const bytes = LIMITS.body_bytes_per_second_min;
  const [steady, slow, stopped] = [0, 1, 2].map(() => begin(ingestPath('users'), 4_000_000));
  for (let second = 0; second < 3 * LIMITS.body_seconds; second++) {
    await steady.send(' '.repeat(bytes));
    if (second < 20) await stopped.send(' '.repeat(bytes));
    if (second < 20) await slow.send(' '.repeat(bytes / 2));
    await pass(SECOND_MS);
  }
  await expectLate(slow, 20);
  await expectLate(stopped, 29);
  await steady.send('[]');
  steady.end();
  expect((await steady.answer).status).toBe(200);
});

test('declared bodies that do not arrive reserve no memory', async () => {
  const declared = LIMITS.body_bytes_max;
  const other = await newAccount(community.server, 'other');
  const held = Array.from({ length: 64 }, () => begin(ingestPath('users'), declared));
  for (const { send } of held) await send('[');
  const body = `[${' '.repeat(1_000_000)}]`;
  for (const key of [KEY, other.headers]) {
    const whole = begin(ingestPath('users'), body.length, key);
    void whole.send(body);
    whole.end();
    expect((await whole.answer).status).toBe(200);
  }
  expect(host.requests.body_bytes).toBe(held.length);
  await pass(PATIENCE_MS);
  for (const each of held) await expectLate(each, LIMITS.body_seconds);
});

test('large bodies are refused if the memory of all or of the account is used up, and small ones are not', async () => {
  const [other, third] = [
    await newAccount(community.server, 'other'),
    await newAccount(community.server, 'third'),
  ];
  const whole = (length: number, key: Record<string, string>) => {
    const body = begin(ingestPath('users'), length, key);
    void body.send(`${' '.repeat(length - 2)}[]`).catch(() => {});
    body.end();
    return body.answer;
  };
  const large = LIMITS.small_body_bytes_max + 1;
  const expectRefused = async (key: Record<string, string>, detail: string) => {
    const answer = await whole(large, key);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    const of = expect.stringContaining(detail);
    expect(await answer.json()).toMatchObject({ code: 'overloaded', detail: of });
  };
  const count = (LIMITS.bodies_bytes_max * LIMITS.account_share) / LIMITS.body_bytes_max;
  const hold = async (key: Record<string, string>, length: number) => {
    const bodies = Array.from({ length }, () => begin(ingestPath('users'), LIMITS.body_bytes_max, key));
    for (const { send } of bodies) await send(' '.repeat(LIMITS.body_bytes_max - 2));
    return bodies;
  };
  const held = await hold(KEY, count);
  await expectRefused(KEY, 'of this account');
  expect((await whole(LIMITS.small_body_bytes_max, KEY)).status).toBe(200);
  expect((await whole(large, other.headers)).status).toBe(200);
  const left = (LIMITS.bodies_bytes_max * (1 - LIMITS.keyless_share)) / LIMITS.body_bytes_max - count;
  held.push(...(await hold(other.headers, left)));
  await expectRefused(third.headers, 'of callers with a key');
  expect((await whole(LIMITS.small_body_bytes_max, third.headers)).status).toBe(200);
  for (const { send, end } of held) {
    await send('[]');
    end();
  }
  for (const { answer } of held) expect((await answer).status).toBe(200);
  expect(host.requests.body_bytes).toBe(0);
  expect((await whole(LIMITS.body_bytes_max, KEY)).status).toBe(200);
});

test('small bodies without a key take no memory from large ones with a key', async () => {
  const { send, answer, end } = begin(ingestPath('users'), LIMITS.body_bytes_max);
  await send('[');
  const held = Array.from({ length: 500 }, () => begin('/base/events', undefined, {}));
  for (const each of held) await each.send(' '.repeat(LIMITS.small_body_bytes_max));
  await send(' '.repeat(LIMITS.body_bytes_max - 2));
  await send(']');
  end();
  expect((await answer).status).toBe(200);
  for (const each of held) each.end();
});
