import type { Logger } from 'pino';
import { monotonicMs } from '../clock.ts';
import type { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Metrics } from './metrics.ts';

interface UnderWay {
  request_id: string;
  start_ms: number;
  account?: string;
}

/** The route of requests that fit none: paths are the callers' and would never end. */
const NO_ROUTE = 'none';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';

/**
 * Follows every request from its arrival to its answer, for the log and the metrics. Only what is bounded
 * and harmless is written down: the route's pattern, never the path; no header and no body.
 */
export class RequestLog {
  private readonly under_way = new WeakMap<Request, UnderWay>();
  private readonly each: boolean;

  constructor(
    private readonly log: Logger,
    private readonly metrics: Metrics,
  ) {
    this.each = log.isLevelEnabled('debug');
  }

  started(request: Request, request_id: string): void {
    this.under_way.set(request, { request_id, start_ms: monotonicMs() });
  }

  /** The request's key is that of an account. */
  authenticated(request: Request, account: string): void {
    const known = this.under_way.get(request);
    if (known !== undefined) known.account = account;
  }

  /** The answer is made: counted and logged, once. */
  finished(request: Request, route: string | undefined, status: number): void {
    const known = this.under_way.get(request);
    if (known === undefined) return;
    this.under_way.delete(request);
    const ms = monotonicMs() - known.start_ms;
    const method = METHODS.has(request.method) ? request.method : OTHER_METHOD;
    const pattern = route || NO_ROUTE;
    this.metrics.answered(method, pattern, status, ms / 1000);
    const slow = ms >= LIMITS.slow_request_ms;
    if (!slow && !this.each) return;
    const { request_id, account } = known;
    const line = { method, route: pattern, status, ms: Math.round(ms * 1000) / 1000, request_id, account };
    if (slow) this.log.warn(line, 'slow request');
    else this.log.debug(line, 'request');
  }

  /** What went wrong here; the cause goes into the log and nowhere else. */
  failed(request: Request, failure: ServiceError, error: unknown): void {
    if (failure.status < 500 || failure.code === 'loading' || failure.code === 'shutting_down') return;
    const request_id = this.under_way.get(request)?.request_id;
    const { code } = failure;
    const cause = failure === error ? failure.cause : error;
    if (cause === undefined) {
      this.log.error({ request_id, code }, failure.detail);
      return;
    }
    const chain: string[] = [];
    for (let at: unknown = cause; at instanceof Error; at = at.cause) chain.push(at.message);
    const stack = cause instanceof Error ? cause.stack : undefined;
    this.log.error(
      { request_id, code, cause: chain.length > 0 ? chain : String(cause), stack },
      failure.detail,
    );
  }
}
