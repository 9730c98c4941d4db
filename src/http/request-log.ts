import type { Logger } from 'pino';
import { monotonicMs } from '../clock.ts';
import { reasonsOf, type ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Metrics } from './metrics.ts';
import { OneOfAKind } from './one-of-a-kind.ts';
import { type Held, RequestBounds } from './request-bounds.ts';
import { urlOf } from './request-url.ts';

interface UnderWay extends Held {
  request_id: string;
  start_ms: number;
  /** Aborted when the caller hangs up. */
  given_up: AbortSignal;
}

/** The route of requests that fit none: paths are the callers' and would never end. */
const NO_ROUTE = 'none';
/** In place of a status that no caller got: nginx's for a request that its client closed. */
const GIVEN_UP = 499;
/** Refusals that say nothing of what happened here; a line for each would add to the load. */
const UNREMARKABLE: ReadonlySet<string> = new Set([
  'overloaded',
  'write_queue_full',
  'loading',
  'shutting_down',
]);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';

/** What is answered however many requests are under way, so that somebody can see it. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Follows every request from its arrival to its answer, for the log, the metrics and the bounds on what is under
 * way. Only what is bounded and harmless is written down: the route's pattern, never the path; no header and no body.
 */
export class RequestLog {
  private readonly under_way = new Map<Request, UnderWay>();
  /** Whose requests these are and were, as long as anything refers to them: answers leave after requests have ended. */
  private readonly accounts = new WeakMap<Request, string>();
  private readonly each: boolean;
  private readonly bounds: RequestBounds;
  /** Requests since the start. */
  arrived = 0;

  /** By what they say: a full disk refuses whatever is to be stored. */
  private readonly store_refusals: OneOfAKind;
  /** By route: to send a body slowly takes no key. */
  private readonly slow: OneOfAKind;

  constructor(
    private readonly log: Logger,
    private readonly metrics: Metrics,
    requests_max: number,
    private readonly monotonic = monotonicMs,
  ) {
    this.bounds = new RequestBounds(requests_max);
    this.each = log.isLevelEnabled('debug');
    this.store_refusals = new OneOfAKind(LIMITS.one_of_a_kind_logged_ms, monotonic);
    this.slow = new OneOfAKind(LIMITS.one_of_a_kind_logged_ms, monotonic);
  }

  /**
   * From now on `request.signal` tells of a caller who hangs up. Asked for the first time later, it would not tell of one who
   * had hung up before.
   * @throws ServiceError `overloaded`, after which the request has to be finished like any other
   */
  started(request: Request, request_id: string): void {
    const given_up = request.signal;
    this.under_way.set(request, { request_id, start_ms: this.monotonic(), body_bytes: 0, given_up });
    this.arrived++;
    this.bounds.start(() => ALWAYS_ANSWERED.has(urlOf(request).pathname));
  }

  /** Requests that have no answer yet. */
  underWay(): Iterable<Request> {
    return this.under_way.keys();
  }

  /** How many these are. */
  get count(): number {
    return this.bounds.count;
  }

  /** Bytes of their bodies that have arrived. */
  get body_bytes(): number {
    return this.bounds.body_bytes;
  }

  /** Requests that wait for an answer and not for a large body to be worked off, which is done in slices. */
  get waiting(): number {
    return this.bounds.waiting;
  }

  /**
   * So many further bytes of the request's body have arrived.
   * @throws ServiceError `overloaded` when bodies take up too much already and this one is not small
   */
  takeBody(request: Request, bytes: number): void {
    const known = this.under_way.get(request);
    if (known !== undefined) this.bounds.takeBody(known, bytes);
  }

  /**
   * The request's key is that of an account.
   * @throws ServiceError `overloaded` when the account has its share of requests under way already
   */
  authenticated(request: Request, account: string): void {
    const known = this.under_way.get(request);
    if (known === undefined) return;
    this.accounts.set(request, account);
    this.bounds.authenticated(known, account);
  }

  /** Whose key a request had, also when it has ended; undefined without one. */
  accountOf(request: Request): string | undefined {
    return this.accounts.get(request);
  }

  /**
   * The request needs no key.
   * @throws ServiceError `overloaded` when such requests have their share already
   */
  withoutKey(request: Request): void {
    const known = this.under_way.get(request);
    if (known !== undefined) this.bounds.withoutKey(known);
  }

  /** The answer is made, or given up: counted and logged, once. @returns the bytes of the request's body */
  finished(request: Request, route: string | undefined, status: number): number {
    const known = this.under_way.get(request);
    if (known === undefined) return 0;
    this.under_way.delete(request);
    this.bounds.end(known);
    const ms = this.monotonic() - known.start_ms;
    const method = METHODS.has(request.method) ? request.method : OTHER_METHOD;
    const pattern = route || NO_ROUTE;
    const { request_id, account, body_bytes, given_up } = known;
    // What went wrong here did so, whoever waits for the answer.
    const told = given_up.aborted && status < 500 ? GIVEN_UP : status;
    this.metrics.answered(method, pattern, told, ms / 1000);
    if (told === GIVEN_UP) this.metrics.givenUp();
    const slow = ms >= LIMITS.slow_request_ms && told !== GIVEN_UP;
    const unlogged = slow ? this.slow.pick(pattern) : undefined;
    if (unlogged === undefined && !this.each) return body_bytes;
    const line = {
      method,
      route: pattern,
      status: told,
      ms: Math.round(ms * 1000) / 1000,
      request_id,
      account,
      unlogged: unlogged || undefined,
    };
    if (unlogged !== undefined) this.log.warn(line, 'slow request');
    else this.log.debug(line, 'request');
    return body_bytes;
  }

  /**
   * The same of a request that ends with an error because its caller has hung up.
   * @returns false for any other request, and where something went wrong here, too
   */
  givenUp(request: Request, route: string | undefined, failure: ServiceError, error: unknown): boolean {
    const { aborted, reason } = request.signal;
    if (!aborted || (error !== reason && failure.status >= 500)) return false;
    this.finished(request, route, GIVEN_UP);
    return true;
  }

  /** Counts what is answered instead; the cause of what went wrong here goes into the log and nowhere else. */
  failed(request_id: unknown, failure: ServiceError, error: unknown): void {
    const { code, status } = failure;
    this.metrics.refused(code);
    if (status < 500 || UNREMARKABLE.has(code)) return;
    const cause = failure === error ? failure.cause : error;
    const line: Record<string, unknown> = { request_id, code };
    if (cause !== undefined) {
      line.cause = reasonsOf(cause);
      line.stack = cause instanceof Error ? cause.stack : undefined;
    }
    // Each such refusal says the same, and anybody may bring it about a thousand times a second.
    if (code === 'store_unavailable' || code === 'state_full') {
      const unlogged = this.store_refusals.pick(
        code === 'state_full' ? code : `${failure.detail}, ${line.cause}`,
      );
      if (unlogged === undefined) return;
      if (unlogged > 0) line.unlogged = unlogged;
    }
    this.log.error(line, failure.detail);
  }
}
