import { parseLongJson } from './json-long.ts';
import { WHEN_REACHED } from './reached.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A request to another service. */
export interface OutgoingRequest {
  /** Default GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Ends the request when it is aborted. */
  signal?: AbortSignal;
  /** Maximum time until the answer has arrived as a whole, ms. */
  timeout_ms: number;
  /** Maximum size of the answer's body. */
  bytes_max: number;
}

/** An answer that has arrived as a whole. */
export interface OutgoingAnswer {
  status: number;
  ok: boolean;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
  text(): string;
  /** The JSON value of the body, parsed by `parseLongJson`. Rejects with a SyntaxError, or with `TooNested`. */
  json(): Promise<unknown>;
}

/** What `openAnswer` takes: `tls` and `unix` are those of Bun. */
export type OpenOptions = RequestInit & { tls?: { serverName: string }; unix?: string };

/** The other service answered, but not with what can be read. */
export class UnusableAnswer extends Error {}

/** The body of an answer is longer than the request allows. */
export class AnswerTooLong extends UnusableAnswer {}

/**
 * Sends a request to a service that is not trusted, and reads the answer.
 *
 * Redirects are not followed, because they could lead into the private network and send keys to others. Compressed
 * answers are not requested and not read, because some kilobytes could unpack to gigabytes.
 * @throws AnswerTooLong; UnusableAnswer for a redirect and a compressed answer; Error without an answer in time
 */
export async function fetchBounded(
  url: string | URL,
  { timeout_ms, bytes_max, signal, ...init }: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const late = AbortSignal.timeout(timeout_ms);
  const ended = signal === undefined ? late : AbortSignal.any([signal, late]);
  const answer = await openAnswer(url, { ...init, signal: ended });
  const bytes = await readBounded(answer, bytes_max);
  const { status, ok, headers } = answer;
  const text = () => new TextDecoder().decode(bytes);
  return { status, ok, headers, bytes, text, json: () => parseLongJson(text()) };
}

/** Sends a request, and leaves the body of the answer to the caller. @throws as `fetchBounded` */
export async function openAnswer(url: string | URL, init: OpenOptions): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('accept-encoding', 'identity');
  const answer = await fetch(url, { ...init, headers, redirect: 'manual', decompress: false });
  WHEN_REACHED.getStore()?.();
  const encoding = answer.headers.get('content-encoding') ?? 'identity';
  const problem = REDIRECTS.has(answer.status)
    ? `the answer is a redirect (${answer.status}), which is not followed`
    : encoding !== 'identity' && `the answer is compressed (${encoding}), which was not requested`;
  if (problem === false) return answer;
  await answer.body?.cancel();
  throw new UnusableAnswer(problem);
}

/** A WebSocket that can be left at once. */
export interface OpenSocket extends WebSocket {
  /** Closes the connection without waiting for the other side, which may go on sending. */
  terminate(): void;
}

/**
 * Opens a WebSocket without compression: a message of some kilobytes could unpack to 128 MB.
 * @param timeout_ms a server that has not accepted the connection by then is left, with the events `error` and `close`
 */
export function openSocket(url: string | URL, { timeout_ms = 30_000 } = {}): OpenSocket {
  const socket: OpenSocket = new WebSocket(url, { perMessageDeflate: false });
  const late = setTimeout(() => socket.terminate(), timeout_ms);
  for (const event of ['open', 'close']) socket.addEventListener(event, () => clearTimeout(late));
  // The event has no context of its own.
  const reached = WHEN_REACHED.getStore();
  if (reached !== undefined) socket.addEventListener('open', reached);
  return socket;
}

/** Reads the body of an answer. @throws AnswerTooLong as soon as it is longer */
export async function readBounded(
  { body }: Pick<Response, 'body'>,
  bytes_max: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > bytes_max) throw new AnswerTooLong(`the answer has more than ${bytes_max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
