import { expect, test } from 'bun:test';
import { Streamed, StreamedAnswers } from '../../../src/http/transport/streamed-answers.ts';
import { LIMITS } from '../../../src/limits.ts';
import { ManualTimers } from '../../support/manual-timers.ts';

function openAnswers(piece_bytes = 8) {
  const timers = new ManualTimers();
  const failed: unknown[] = [];
  const closed: Request[] = [];
  const nowMs = () => timers.passed_seconds * 1000;
  const answers = new StreamedAnswers(timers, nowMs, (error) => failed.push(error));
  const server = { pendingRequests: 1, timeout: (request: Request) => void closed.push(request) };
  const request = new Request('http://localhost/');
  const made: number[] = [];
  async function* pieces() {
    for (let piece = 0; ; piece++) {
      made.push(piece);
      yield `piece ${piece}`.padEnd(piece_bytes);
    }
  }
  const stop = new AbortController();
  const start = (account = 'a') =>
    answers.respond(new Streamed(pieces(), 'text/plain', stop), {}, { request, account, server });
  return { timers, answers, failed, closed, made, stop, start };
}

test('a chunk is produced when the client has taken the previous one', async () => {
  const { answers, made, stop, start } = openAnswers();
  const reader = start().body!.getReader();
  expect(made).toEqual([]);
  for (let piece = 0; piece < 3; piece++) {
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toStartWith(`piece ${piece}`);
    expect(made.at(-1)).toBe(piece);
  }
  expect(answers.count).toBe(1);
  await reader.cancel();
  expect([answers.count, stop.signal.aborted]).toEqual([0, true]);
});

test('a streamed answer that the client does not read is cut off', async () => {
  for (const taken of [0, 1]) {
    const { timers, answers, closed, failed, stop, start } = openAnswers();
    const reader = start().body!.getReader();
    if (taken > 0) await reader.read();
    await timers.pass(LIMITS.stalled_stream_seconds - 1);
    expect([answers.count, closed.length]).toEqual([1, 0]);
    await timers.pass(1);
    expect([answers.count, closed.length, failed]).toEqual([0, 1, []]);
    expect(stop.signal.aborted).toBe(true);
  }
});

test('a streamed answer is cut off when its client reads more slowly than the minimum', async () => {
  const piece_bytes = LIMITS.answer_bytes_per_second_min;
  for (const [pause_seconds, read_max] of [
    [0.9, 200],
    [2, LIMITS.stalled_stream_seconds - 1],
  ]) {
    const { timers, answers, closed, start } = openAnswers(piece_bytes);
    const reader = start().body!.getReader();
    let read = 0;
    while (read < 200 && answers.count > 0) {
      await reader.read();
      read++;
      await timers.pass(pause_seconds);
    }
    expect([pause_seconds, read, closed.length]).toEqual([pause_seconds, read_max, read_max === 200 ? 0 : 1]);
  }
});

test('the number of streamed answers is limited', async () => {
  const { answers, start } = openAnswers();
  const accounts = ['a', 'b', 'c'];
  const readers = Array.from({ length: LIMITS.streams_max }, (_, at) =>
    start(accounts[at % 3]).body!.getReader(),
  );
  for (const account of accounts) expect(() => start(account)).toThrow('overloaded');
  await readers[0].cancel();
  start('b');
  expect(answers.count).toBe(LIMITS.streams_max);
});
