/** Requests to the HTTP API of a Snapchain node. */

import { AnswerTooLong, fetchBounded, type OutgoingAnswer } from 'feedloom/plugin';

/** Longer answers are not read to their end. A page of 1,000 messages has about a megabyte. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** The wait before a refused request is repeated, if the node names none, and the longest one that it may name. */
const WAIT_SECONDS = 5;
const WAIT_SECONDS_MAX = 120;
/** The part of an error answer that is shown. */
const SHOWN_LENGTH = 200;

type Json = Record<string, unknown>;

export type Parameters = Readonly<Record<string, string | number>>;

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
  async get(path: string, parameters: Parameters): Promise<Json> {
    const url = new URL(`${this.url.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
    for (;;) {
      const answer = await fetchBounded(url, {
        headers: this.headers,
        signal: this.host.signal,
        timeout_ms: TIMEOUT_MS,
        bytes_max: ANSWER_BYTES_MAX,
      }).catch((error) => {
        throw error instanceof AnswerTooLong ? new AnswerTooLong(`${path}: ${error.message}`) : error;
      });
      if (answer.status !== 429 && !(answer.status === 503 && answer.headers.has('retry-after')))
        return read(path, answer);
      await pause(this.waitSeconds(answer.headers.get('retry-after')), this.host.signal);
    }
  }

  private waitSeconds(after: string | null): number {
    if (after === null) return WAIT_SECONDS;
    // A date is in GMT, although an old form of it does not say so.
    const date = () => Date.parse(`${after.replace(/ GMT$/, '')} GMT`) / 1000;
    const seconds = /^\d+$/.test(after) ? Number(after) : date() - this.host.clock.now();
    return Number.isNaN(seconds) ? WAIT_SECONDS : Math.min(WAIT_SECONDS_MAX, Math.max(0, seconds));
  }
}

async function read(path: string, answer: OutgoingAnswer): Promise<Json> {
  if (!answer.ok)
    throw new Error(`${path} answered ${answer.status}: ${answer.text().slice(0, SHOWN_LENGTH)}`);
  const value = await answer.json().catch((error) => {
    throw new Error(`${path} answered with invalid JSON`, { cause: error });
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path} answered with no JSON object`);
  return value as Json;
}
