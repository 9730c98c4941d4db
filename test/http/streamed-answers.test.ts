import { expect, test } from 'bun:test';
import { Streamed, StreamedAnswers } from '../../src/http/streamed-answers.ts';
import { LIMITS } from '../../src/limits.ts';
import { ManualTimers } from '../support/manual-timers.ts';

function openAnswers() {
  const timers = new ManualTimers();
  const failed: unknown[] = [];
  const closed: Request[] = [];
  const answers = new StreamedAnswers(timers, (error) => failed.push(error));
  const server = { pendingRequests: 1, timeout: (request: Request) => void closed.push(request) };
  const request = new Request('http://localhost/');
  const made: number[] = [];
  async function* pieces() {
    for (let piece = 0; ; piece++) {
      made.push(piece);
      yield `piece ${piece}`;
    }
  }
  const stop = new AbortController();
  const start = () =>
    answers.respond(new Streamed(pieces(), 'text/plain', stop), {}, { request, account: 'a', server });
  return { timers, answers, failed, closed, made, stop, start };
}

test('a chunk is produced when the client has taken the previous one', async () => {
  const { answers, made, stop, start } = openAnswers();
  const reader = start().body!.getReader();
  expect(made).toEqual([]);
  for (let piece = 0; piece < 3; piece++) {
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(`piece ${piece}`);
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

test('the number of streamed answers is limited', async () => {
  const { answers, start } = openAnswers();
  const readers = Array.from({ length: LIMITS.streams_max }, () => start().body!.getReader());
  expect(start).toThrow('overloaded');
  await readers[0].cancel();
  start();
  expect(answers.count).toBe(LIMITS.streams_max);
});
