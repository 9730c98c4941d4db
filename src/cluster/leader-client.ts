import { ERRORS, type ErrorCode, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { openAnswer, readBounded } from '../plugin/outgoing.ts';
import type { SeenNode } from '../store/postgres/database-lease.ts';

/** The header by which nodes know each other. */
const SECRET_HEADER = 'x-feedloom-cluster';

/** Whether these headers are of another node. */
export function isPeer(headers: Headers, secret: string): boolean {
  const sent = Buffer.from(headers.get(SECRET_HEADER) ?? '');
  const own = Buffer.from(secret);
  return sent.length === own.length && crypto.timingSafeEqual(sent, own);
}

/** Maximum size of an answer that is read as a whole: the largest one to a client, and metrics. */
const ANSWER_BYTES_MAX = 2 * LIMITS.answer_bytes_max;
/** How long to wait for the leader. */
const PATIENCE_MS = 30_000;
/** Seconds until a refused request may be sent again: a fail-over takes about ten. */
const RETRY_SECONDS = 2;

/** A request for the leader. */
export interface Forwarded {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string;
  given_up?: AbortSignal;
  /** Maximum time until the answer has arrived as a whole. Default 30 s. */
  patience_ms?: number;
}

/** An answer of the leader that has arrived as a whole. */
export interface WholeAnswer {
  answer: Response;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The lead on its way from one node to another. */
interface Passing {
  readonly is_under_way: boolean;
  /** Resolves at the end. Throws if that takes too long. */
  ended(given_up?: AbortSignal): Promise<void>;
}

/** Sends requests to the node that leads. */
export class LeaderClient {
  /** Requests since the start, and those that got no answer. */
  readonly totals = { forwarded: 0, failed: 0 };
  /** Requests that were sent and have no answer yet. */
  private under_way = 0;
  private idle = Promise.withResolvers<void>();

  /**
   * @param leader the node that leads, which may be this one; undefined if none is known
   * @param hand_over while it is under way, requests wait before they are sent
   */
  constructor(
    private readonly secret: string,
    private readonly leader: () => Pick<SeenNode, 'url'> | undefined,
    private readonly hand_over: Passing,
  ) {}

  /** Whether these headers are of another node. */
  isPeer(headers: Headers): boolean {
    return isPeer(headers, this.secret);
  }

  /**
   * Sends a request once. It is never repeated, because its outcome is unknown if the answer is missing.
   * @throws ServiceError `store_unavailable` without a leader or an answer; the reason of `given_up`
   */
  send(request: Forwarded): Promise<Response> {
    return this.exchange(request, async (answer) => answer);
  }

  /** Sends a request once, and reads the whole answer. @throws as `send`, also if the answer is cut off */
  request(request: Forwarded): Promise<WholeAnswer> {
    return this.exchange(request, async (answer) => ({
      answer,
      bytes: await readBounded(answer, ANSWER_BYTES_MAX),
    }));
  }

  /** Posts a JSON body once, and reads the whole answer. @throws as `request` */
  postJson(path: string, body: unknown, patience_ms: number): Promise<WholeAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.request({ method: 'POST', path, headers, body: JSON.stringify(body), patience_ms });
  }

  /** Resolves when every request that was sent has its answer. */
  async answered(): Promise<void> {
    if (this.under_way > 0) await this.idle.promise;
  }

  private async exchange<T>(request: Forwarded, read: (answer: Response) => Promise<T>): Promise<T> {
    const { method, path, headers = {}, body, given_up, patience_ms = PATIENCE_MS } = request;
    while (this.hand_over.is_under_way) await this.hand_over.ended(given_up);
    // Counted without another wait, so that a leader which leaves can wait for every request that was sent to it.
    const leader = this.leader();
    if (leader === undefined) throw leaderless();
    this.totals.forwarded++;
    this.under_way++;
    const late = AbortSignal.timeout(patience_ms);
    const signal = given_up === undefined ? late : AbortSignal.any([late, given_up]);
    try {
      return await read(await this.open(leader.url, path, { method, headers, body, signal }));
    } catch (cause) {
      throw this.unanswered(given_up, cause);
    } finally {
      this.noteAnswered();
    }
  }

  private noteAnswered(): void {
    if (--this.under_way > 0) return;
    this.idle.resolve();
    this.idle = Promise.withResolvers();
  }

  /** Asks any node for a text. @throws Error without an answer, or for another status than 200 */
  async textOf({ url }: Pick<SeenNode, 'url'>, path: string, patience_ms: number): Promise<string> {
    const answer = await this.open(url, path, { signal: AbortSignal.timeout(patience_ms) });
    if (answer.status !== 200) throw new Error(`the node answered ${answer.status}`);
    return new TextDecoder().decode(await readBounded(answer, ANSWER_BYTES_MAX));
  }

  /** Tells a node something. It need not answer. */
  async post(
    { url }: Pick<SeenNode, 'url'>,
    path: string,
    news: unknown,
    patience_ms: number,
  ): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(news);
    const signal = AbortSignal.timeout(patience_ms);
    try {
      await readBounded(
        await this.open(url, path, { method: 'POST', headers, body, signal }),
        ANSWER_BYTES_MAX,
      );
    } catch {}
  }

  private open(url: string, path: string, init: RequestInit): Promise<Response> {
    const sent = { ...init, headers: { ...init.headers, [SECRET_HEADER]: this.secret } };
    return openAnswer(url + path, sent);
  }

  private unanswered(given_up: AbortSignal | undefined, cause: unknown): ServiceError {
    given_up?.throwIfAborted();
    this.totals.failed++;
    const detail = 'the node that leads did not answer; the request may have been executed or not';
    return new ServiceError('store_unavailable', detail, undefined, RETRY_SECONDS, { cause });
  }
}

/** The error for a request that needs a leader while there is none. */
export function leaderless(): ServiceError {
  const detail = 'no node leads at the moment; send again later';
  return new ServiceError('store_unavailable', detail, undefined, RETRY_SECONDS);
}

/** The value of a JSON answer. Undefined for any other text: a proxy before the leader may have answered. */
export function jsonOf({ bytes }: WholeAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The error that another node answered with. */
export function problemFrom(whole: WholeAnswer): ServiceError {
  const { code, detail } = (jsonOf(whole) ?? {}) as { code?: unknown; detail?: unknown };
  const retry = Number(whole.answer.headers.get('retry-after'));
  const known = typeof code === 'string' && Object.hasOwn(ERRORS, code);
  if (!known)
    return new ServiceError(
      'store_unavailable',
      `the address of the node that leads answered ${whole.answer.status}, which is no answer of a node; if a proxy is before it, check the proxy, or set FEEDLOOM_ADVERTISE_URL to the node itself`,
    );
  return new ServiceError(code as ErrorCode, String(detail), undefined, retry > 0 ? retry : undefined);
}
