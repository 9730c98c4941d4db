/** Requests to the HTTP API of a Snapchain node. */

/** Longer answers are not read to their end. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** The wait before a refused request is repeated, if the node names none, and the longest one that it may name. */
const WAIT_SECONDS = 5;
const WAIT_SECONDS_MAX = 120;
/** The part of an error answer that is shown. */
const SHOWN_LENGTH = 200;

type Json = Record<string, unknown>;

/** An answer has more than `ANSWER_BYTES_MAX` bytes. */
export class AnswerTooLong extends Error {}

/** Waits, or rejects when the signal is aborted. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
  });
}

export class SnapchainNode {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly host: { signal: AbortSignal; clock: { now(): number } },
  ) {}

  /**
   * Reads an object. Waits and asks again while the node refuses because of too many requests.
   * @throws AnswerTooLong
   */
  async get(path: string, parameters: Readonly<Record<string, string | number>>): Promise<Json> {
    const url = new URL(`${this.url.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
    for (;;) {
      const signal = AbortSignal.any([this.host.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      // Following a redirect would send the key to another server.
      const response = await fetch(url, { headers: this.headers, signal, redirect: 'error' });
      if (response.status !== 429 && !(response.status === 503 && response.headers.has('retry-after')))
        return read(path, response);
      await response.body?.cancel();
      await pause(this.waitSeconds(response.headers.get('retry-after')), this.host.signal);
    }
  }

  private waitSeconds(after: string | null): number {
    if (after === null) return WAIT_SECONDS;
    const seconds = /^\d+$/.test(after) ? Number(after) : Date.parse(after) / 1000 - this.host.clock.now();
    return Number.isNaN(seconds) ? WAIT_SECONDS : Math.min(WAIT_SECONDS_MAX, Math.max(0, seconds));
  }
}

async function read(path: string, response: Response): Promise<Json> {
  const text = await textOf(path, response);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, SHOWN_LENGTH)}`);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`${path} answered with invalid JSON`);
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw new Error(`${path} answered with no JSON object`);
  return answer as Json;
}

async function textOf(path: string, response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > ANSWER_BYTES_MAX)
      throw new AnswerTooLong(`${path} answered with more than ${ANSWER_BYTES_MAX} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
