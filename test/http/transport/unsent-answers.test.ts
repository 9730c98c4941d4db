import { beforeEach, describe, expect, test } from 'bun:test';
import { UnsentAnswers } from '../../../src/http/transport/unsent-answers.ts';
import { LIMITS } from '../../../src/limits.ts';

const MIB = 1024 * 1024;
const SMALL = 10_000;
const SECOND_MS = 1_000;

let now_ms: number;
let look: () => void;
let unsent: UnsentAnswers;
let closed: Request[];
let pending: number;
beforeEach(() => {
  now_ms = 0;
  look = () => {};
  closed = [];
  pending = 0;
  const timers = {
    after(_: number, run: () => void) {
      look = run;
      return () => {};
    },
  };
  unsent = new UnsentAnswers(
    () => 0,
    timers,
    () => now_ms,
  );
});

const server = {
  get pendingRequests() {
    return pending;
  },
  timeout(request: Request) {
    closed.push(request);
  },
};

interface Sent {
  request: Request;
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };
}

function send(bytes: number, account?: string, body: string | undefined = undefined): Sent {
  const request = new Request('http://localhost/');
  const to = { request, account, server };
  const response = unsent.respond(body ?? new Uint8Array(bytes).fill(65), { status: 200 }, to);
  const { body: stream } = response;
  if (stream === null) throw new Error('there is no body');
  return { request, reader: stream.getReader() };
}

/** Takes so many pieces, and gives their bytes. */
async function take({ reader }: Sent, pieces: number): Promise<number> {
  let bytes = 0;
  for (let piece = 0; piece < pieces; piece++) bytes += (await reader.read()).value?.byteLength ?? 0;
  return bytes;
}

/** Takes all that is left. */
async function takeAll({ reader }: Sent): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return Buffer.concat(pieces);
    pieces.push(value);
  }
}

/** Passes time in steps of a second, after each of which slow clients are looked for. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    now_ms += SECOND_MS;
    look();
  }
}

describe('an answer', () => {
  test('a small answer is passed on as a whole and not counted', async () => {
    const sent = send(SMALL);
    expect([unsent.count, unsent.bytes]).toEqual([0, 0]);
    expect(await takeAll(sent)).toHaveLength(SMALL);
  });

  test('a small answer is counted when many others wait for their clients', () => {
    pending = 2_000;
    for (let at = 0; at < 3; at++) send(SMALL);
    expect([unsent.count, unsent.bytes]).toEqual([3, 3 * SMALL]);
  });

  test('a large answer arrives completely, as text or bytes, and counts until it is read', async () => {
    const text = 'ü€😀x'.repeat(100_000);
    const of_text = send(0, 'a', text);
    const of_bytes = send(MIB + 1, 'a');
    const before = unsent.bytes;
    expect(before).toBe(Buffer.byteLength(text) + MIB + 1);
    const taken = await take(of_bytes, 2);
    expect(unsent.bytes).toBe(before - taken);
    expect(taken + (await takeAll(of_bytes)).length).toBe(MIB + 1);
    expect((await takeAll(of_text)).toString()).toBe(text);
    expect(unsent.bytes).toBe(0);
  });

  test('an answer that was read, or whose client disconnected, no longer counts', async () => {
    const taken = send(MIB);
    const gone = send(MIB);
    await take(gone, 1);
    await gone.reader.cancel();
    expect([unsent.count, unsent.bytes]).toEqual([1, MIB]);
    expect(await take(taken, 17)).toBe(MIB);
    expect([unsent.count, unsent.bytes]).toEqual([0, 0]);
    expect([...unsent.requests()]).toEqual([]);
    expect(closed).toEqual([]);
  });

  test('an answer to HEAD is not counted', () => {
    const request = new Request('http://localhost/', { method: 'HEAD' });
    unsent.respond(new Uint8Array(MIB), {}, { request, account: undefined, server });
    expect(unsent.count).toBe(0);
  });
});

describe('a client', () => {
  test('a client that reads nothing is cut off: its memory is freed and its connection closed', async () => {
    const sent = send(MIB, 'a');
    pass(LIMITS.answer_seconds - 1);
    expect(closed).toEqual([]);
    pass(1);
    expect([unsent.count, unsent.bytes, unsent.cut.slow]).toEqual([0, 0, 1]);
    expect(closed).toEqual([sent.request]);
    // Whatever the connection takes yet, the answer must not end as if it were whole.
    const ended = await Promise.race([sent.reader.read().then(() => true), Promise.resolve(false)]);
    expect(ended).toBe(false);
  });

  test('a client that reads at the minimum rate gets its whole answer', async () => {
    const sent = send(4 * MIB, 'a');
    const pieces = (4 * MIB) / (64 * 1024);
    for (let piece = 0; piece < pieces; piece++) {
      expect(await take(sent, 1)).toBe(64 * 1024);
      pass((64 * 1024) / LIMITS.answer_bytes_per_second_min);
    }
    expect([unsent.cut.slow, unsent.count]).toEqual([0, 0]);
  });

  test('a client that reads ever more slowly is cut off', async () => {
    const sent = send(4 * MIB, 'a');
    await take(sent, 16);
    pass(LIMITS.answer_seconds + MIB / LIMITS.answer_bytes_per_second_min);
    expect([unsent.cut.slow, closed]).toEqual([1, [sent.request]]);
  });
});

describe('what is held', () => {
  const fill = (share: number, account?: string) =>
    Array.from({ length: (LIMITS.unsent_bytes_max * share) / MIB }, () => send(MIB, account));

  test('callers without a key have a share of the memory, and stalled answers make room', async () => {
    const sent = fill(LIMITS.keyless_share);
    const full = unsent.bytes;
    pass(1);
    await take(sent[0], 1);
    const more = [send(MIB), send(MIB)];
    expect(closed).toEqual([sent[1].request, sent[2].request]);
    expect(unsent.bytes).toBeLessThanOrEqual(full);
    expect(unsent.cut).toEqual({ slow: 0, crowded: 2 });
    expect(await take(sent[0], 15)).toBe(MIB - 64 * 1024);
    expect(await take(more[0], 16)).toBe(MIB);
  });

  test('if all clients read, no answer is cut off: further large ones are refused, small ones are not', async () => {
    const sent = fill(LIMITS.keyless_share);
    expect(() => send(MIB)).toThrow('overloaded: large answers to callers without a key');
    pending = 2_000;
    await takeAll(send(SMALL));
    await takeAll(send(MIB, 'account'));
    expect([closed, unsent.count]).toEqual([[], sent.length]);
    await takeAll(sent[0]);
    send(MIB);
  });

  test('an account has a share of the memory, at no cost to other accounts', () => {
    const other = send(MIB, 'other');
    const greedy = fill(LIMITS.account_share, 'greedy');
    expect(() => send(MIB, 'greedy')).toThrow('overloaded: large answers to this account');
    pass(1);
    const again = fill(LIMITS.account_share, 'greedy');
    expect(closed).toEqual(greedy.map(({ request }) => request));
    expect(unsent.count).toBe(again.length + 1);
    expect(closed).not.toContain(other.request);
  });

  test('the total memory is bounded, and the account with most answers makes room', () => {
    const other = send(MIB, 'other');
    const of_all = [...fill(15 / 32, 'one'), ...fill(15 / 32, 'another')];
    pass(1);
    const more = fill(15 / 32, 'third');
    expect(unsent.bytes).toBeLessThanOrEqual(LIMITS.unsent_bytes_max);
    expect(unsent.count).toBe(1 + of_all.length + more.length - closed.length);
    expect(closed).not.toContain(other.request);
  });
});
