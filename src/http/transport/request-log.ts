import type { Logger } from 'pino';
import { monotonicMs } from '../../clock.ts';
import { reasonOf, reasonsOf, type ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { LogLimiter } from '../../log-limiter.ts';
import type { RequestTrace } from '../../tracing/request-trace.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type KeylessKind, RequestBounds, type RequestResources } from './request-bounds.ts';
import { urlOf } from './request-url.ts';

interface UnderWay extends RequestResources {
  request_id: string;
  start_ms: number;
  /** Aborted when the client disconnects. */
  given_up: AbortSignal;
  /** Undefined if the request is not traced. */
  trace: RequestTrace | undefined;
}

/** Route label of requests without a route. Their paths are unbounded and chosen by callers. */
const NO_ROUTE = 'none';
/** Status of requests whose client disconnected, as in nginx. No client receives it. */
const GIVEN_UP = 499;
/** Refusals that are expected under load. Logging each would add to the load. */
const UNREMARKABLE: ReadonlySet<string> = new Set([
  'overloaded',
  'write_queue_full',
  'loading',
  'shutting_down',
]);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';

/** Paths that are answered under any load, so that operators can observe the service. */
export const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Follows every request from arrival to answer, for the log, the metrics and the bounds of requests under way.
 *
 * Only bounded, harmless values are logged: the route's pattern but never the path, no headers and no body.
 */
export class RequestLog {
  private readonly under_way = new Map<Request, UnderWay>();
  private readonly each: boolean;
  private readonly bounds: RequestBounds;
  arrived = 0;

  /** Limits log lines of failures, by kind: a full disk refuses every write, and callers can repeat a fault. */
  private readonly failures: LogLimiter;
  /** Limits log lines of slow requests, by route: sending a body slowly needs no key. */
  private readonly slow: LogLimiter;

  constructor(
    private readonly log: Logger,
    private readonly metrics: Metrics,
    requests_max: number,
    private readonly monotonic = monotonicMs,
  ) {
    this.bounds = new RequestBounds(requests_max);
    this.each = log.isLevelEnabled('debug');
    this.failures = new LogLimiter(LIMITS.repeated_log_ms, monotonic);
    this.slow = new LogLimiter(LIMITS.repeated_log_ms, monotonic);
  }

  /**
   * Registers a request. From now on `request.signal` fires when the client disconnects.
   *
   * The signal must be created here: created later, it would not fire for a client that has already disconnected.
   * @throws ServiceError `overloaded`; the request must still be finished like any other
   */
  started(request: Request, request_id: string, trace?: RequestTrace): void {
    const given_up = request.signal;
    this.under_way.set(request, { request_id, start_ms: this.monotonic(), body_bytes: 0, given_up, trace });
    this.arrived++;
    this.bounds.start(() => ALWAYS_ANSWERED.has(urlOf(request).pathname));
  }

  underWay(): Iterable<Request> {
    return this.under_way.keys();
  }

  get count(): number {
    return this.bounds.count;
  }

  get body_bytes(): number {
    return this.bounds.body_bytes;
  }

  /** Requests that wait for an answer, without those whose large body is still being processed. */
  get waiting(): number {
    return this.bounds.waiting;
  }

  /**
   * Reserves memory for received bytes of a request's body.
   * @throws ServiceError `overloaded` if bodies take up too much memory and this one is not small
   */
  takeBody(request: Request, bytes: number, webhook?: string): void {
    const known = this.under_way.get(request);
    if (known !== undefined) this.bounds.takeBody(known, bytes, webhook);
  }

  /**
   * Assigns a request to its account.
   * @throws ServiceError `overloaded` if the account has used up its share of requests under way
   */
  authenticated(request: Request, account: string): void {
    const known = this.under_way.get(request);
    if (known !== undefined) this.bounds.authenticated(known, account);
  }

  /** Account of a request under way. Undefined without a key. */
  accountOf(request: Request): string | undefined {
    return this.under_way.get(request)?.account;
  }

  /**
   * Marks a request as one without a key.
   * @throws ServiceError `overloaded` if requests of its kind have used up their share
   */
  withoutKey(request: Request, kind: KeylessKind): void {
    const known = this.under_way.get(request);
    if (known !== undefined) this.bounds.withoutKey(known, kind);
  }

  /** Whether a request under way was marked as one without a key. */
  isWithoutKey(request: Request): boolean {
    return this.under_way.get(request)?.keyless !== undefined;
  }

  /** Counts and logs the end of a request, once. @returns the size of the request's body in bytes */
  finished(request: Request, route: string | undefined, status: number): number {
    const known = this.under_way.get(request);
    if (known === undefined) return 0;
    this.under_way.delete(request);
    this.bounds.end(known);
    const ms = this.monotonic() - known.start_ms;
    const method = METHODS.has(request.method) ? request.method : OTHER_METHOD;
    const pattern = route || NO_ROUTE;
    const { request_id, account, body_bytes, given_up, trace } = known;
    // A failure of the service counts as one even if the client has disconnected.
    const logged_status = given_up.aborted && status < 500 ? GIVEN_UP : status;
    this.metrics.answered(method, pattern, logged_status, ms / 1000);
    trace?.end(method, pattern, logged_status);
    if (logged_status === GIVEN_UP) this.metrics.givenUp();
    const slow = ms >= LIMITS.slow_request_ms && logged_status !== GIVEN_UP;
    const unlogged = slow ? this.slow.pick(pattern) : undefined;
    if (unlogged === undefined && !this.each) return body_bytes;
    const line = {
      method,
      route: pattern,
      status: logged_status,
      ms: Math.round(ms * 1000) / 1000,
      request_id,
      account,
      trace_id: trace?.trace_id,
      unlogged: unlogged || undefined,
    };
    if (unlogged !== undefined) this.log.warn(line, 'slow request');
    else this.log.debug(line, 'request');
    return body_bytes;
  }

  /**
   * Ends a request that failed because its client disconnected.
   * @returns false if the client is still connected, or if the service itself failed
   */
  givenUp(request: Request, route: string | undefined, failure: ServiceError, error: unknown): boolean {
    const { aborted, reason } = request.signal;
    if (!aborted || (error !== reason && failure.status >= 500)) return false;
    this.finished(request, route, GIVEN_UP);
    return true;
  }

  /** Counts an error answer. The cause of an internal error goes only into the log. @param route `''` without one */
  failed(route: string, request_id: unknown, failure: ServiceError, error: unknown): void {
    const { code, status } = failure;
    this.metrics.refused(code, ALWAYS_ANSWERED.has(route));
    if (status < 500 || UNREMARKABLE.has(code)) return;
    const cause = failure === error ? failure.cause : error;
    const unlogged = this.failures.pick(kindOf(failure, cause));
    if (unlogged === undefined) return;
    const line: Record<string, unknown> = { request_id, code };
    if (cause !== undefined) {
      line.cause = reasonsOf(cause);
      line.stack = cause instanceof Error ? cause.stack : undefined;
    }
    if (unlogged > 0) line.unlogged = unlogged;
    this.log.error(line, failure.detail);
  }
}

/** What failures have in common that are logged as one. Texts of internal errors may contain what callers sent. */
function kindOf({ code, detail }: ServiceError, cause: unknown): string {
  if (code === 'state_full') return code;
  if (code === 'store_unavailable') return `${detail}, ${cause === undefined ? '' : reasonsOf(cause)}`;
  // The first reason names the plugin, and those behind it may contain what callers sent.
  if (code === 'plugin_failed') return reasonOf(cause);
  const place = cause instanceof Error ? /^ +at .*$/m.exec(cause.stack ?? '')?.[0] : undefined;
  return `${code}, ${place ?? detail}`;
}
