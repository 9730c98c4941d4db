import type { Logger } from 'pino';
import { type Clock, monotonicMs, systemClock, systemTimers, type Timers } from '../../clock.ts';
import type { ClusterNode } from '../../cluster/node.ts';
import { rootReasonOf, type ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Service } from '../../service.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { ConsoleCodes } from '../console/console-codes.ts';
import { Garbage } from '../guards/garbage.ts';
import { type KeyRing, type KeyRule, type Principal, UnknownKey } from '../identity/auth.ts';
import { RecordQuota } from '../identity/record-quota.ts';
import { WrongKeys } from '../identity/wrong-keys.ts';
import { READINESS, REQUESTS, SPANS, UNSENT } from '../metrics/host.ts';
import { Metrics } from '../metrics/metrics.ts';
import { BodyTimeouts } from './body-timeouts.ts';
import type { Room } from './read-body.ts';
import { loading, shuttingDown, storeFaultOf } from './readiness.ts';
import type { KeylessKind } from './request-bounds.ts';
import { ALWAYS_ANSWERED, RequestLog } from './request-log.ts';
import { connectionOf, urlOf } from './request-url.ts';
import { StreamedAnswers } from './streamed-answers.ts';
import { UnsentAnswers } from './unsent-answers.ts';

export interface HostOptions {
  requests_max?: number;
  /** For how long the text of the metrics is cached, ms. Default one second. */
  metrics_kept_ms?: number;
  timers?: Timers;
  monotonic?: () => number;
  /** Clock for the expiry of tokens that other servers make. Default: the machine's. */
  token_clock?: Clock;
  /** Loads the demo community into a service without data. */
  fillDemo?: (service: Service) => Promise<void>;
  tracer?: Tracer;
}

interface Running {
  service: Service;
  keys: KeyRing;
  record_quota: RecordQuota;
}

/** The dependencies of the routes: the service, once it is loaded, and the bounds of requests. */
export class Host {
  private running: Running | undefined;
  private closing = false;
  private draining = false;
  readonly metrics: Metrics;
  readonly requests: RequestLog;
  readonly garbage = new Garbage({ waiting: () => this.requests.waiting });
  readonly unsent: UnsentAnswers;
  readonly streamed: StreamedAnswers;
  readonly console_codes: ConsoleCodes;
  private readonly body_timeouts: BodyTimeouts;
  private readonly wrong_keys: WrongKeys;
  /** Undefined: there is no demo community. */
  readonly fillDemo: HostOptions['fillDemo'];
  readonly timers: Timers;
  readonly monotonic: () => number;
  readonly token_clock: Clock;
  readonly tracer: Tracer | undefined;
  private endHistory = (): void => {};

  constructor(
    readonly log: Logger,
    { requests_max = LIMITS.requests_default, timers = systemTimers, ...options }: HostOptions = {},
  ) {
    const { monotonic = monotonicMs, token_clock = systemClock, fillDemo, tracer } = options;
    this.fillDemo = fillDemo;
    this.tracer = tracer;
    this.metrics = new Metrics(() => this.running?.service, options);
    this.timers = timers;
    this.monotonic = monotonic;
    this.token_clock = token_clock;
    this.body_timeouts = new BodyTimeouts(timers, monotonic);
    this.console_codes = new ConsoleCodes(monotonic);
    this.wrong_keys = new WrongKeys(monotonic, connectionOf);
    this.requests = new RequestLog(log, this.metrics, requests_max, monotonic);
    this.unsent = new UnsentAnswers(() => this.requests.count, timers, monotonic);
    this.streamed = new StreamedAnswers(timers, monotonic, (error) =>
      log.error({ cause: rootReasonOf(error) }, 'an answer was cut off while it was sent'),
    );
    this.metrics.watch(UNSENT, this.unsent);
    this.metrics.watch(REQUESTS, this.requests);
    this.metrics.watch(READINESS, this);
    if (tracer !== undefined) this.metrics.watch(SPANS, tracer.figures);
  }

  /** @param webhook the configured webhook that the body is delivered to */
  room(request: Request, bytes_max: number, webhook?: string): Room {
    const { body_seconds, keyless_body_seconds } = LIMITS;
    const seconds = this.requests.isWithoutKey(request) ? keyless_body_seconds : body_seconds;
    return {
      bytes_max,
      take: (bytes) => this.requests.takeBody(request, bytes, webhook),
      inTime: (read) => this.body_timeouts.inTime(read, seconds),
    };
  }

  /**
   * Admits a request that needs no key.
   * @throws ServiceError `loading`, `shutting_down`, `overloaded`
   */
  withoutKey(request: Request, kind: KeylessKind): Service {
    const { service } = this.serving();
    this.requests.withoutKey(request, kind);
    return service;
  }

  open(service: Service, keys: KeyRing): void {
    const record_quota = new RecordQuota(service.clock, service.settings.quota_records_per_day);
    this.running = { service, keys, record_quota };
    this.endHistory = this.metrics.history.begin(service, this.timers);
  }

  /** Refuses requests until the next service is opened, as while the first one loads. */
  unload(): void {
    this.endHistory();
    this.running = undefined;
  }

  /** Fails readiness checks from now on, while requests are served. */
  drain(): void {
    this.draining = true;
  }

  close(): void {
    this.closing = true;
    this.endHistory();
  }

  /** Why feeds are not served, for `/readyz` and the metrics. Undefined when they are served. */
  get unready(): ServiceError | undefined {
    if (this.closing || this.draining) return shuttingDown();
    return this.running === undefined ? loading() : storeFaultOf(this.running.service);
  }

  ready(): Service {
    return this.serving().service;
  }

  keys(): KeyRing {
    return this.serving().keys;
  }

  recordQuota(): RecordQuota {
    return this.serving().record_quota;
  }

  /**
   * Admits a request by its key or viewer token. The rate limit of a forwarded one was applied where it was sent.
   * @throws ServiceError `loading`, `shutting_down`, `unauthorized`, `forbidden`, `rate_limited`, `overloaded`
   */
  admit(request: Request, rule: KeyRule): Principal {
    const { limited = !this.isForwarded(request) } = rule;
    try {
      const principal = this.keys().authenticate(request.headers, { ...rule, limited });
      this.requests.authenticated(request, principal.account);
      return principal;
    } catch (error) {
      if (error instanceof UnknownKey) this.wrong_keys.take(request);
      throw error;
    }
  }

  /** Resolves when a request with an unknown key may be refused. Undefined if its key is known, or it has none. */
  refreshForKey(request: Request): Promise<void> | undefined {
    const keys = this.running?.keys;
    if (keys?.hasUnknownKey(request.headers) !== true) return undefined;
    // These need no key, and probes do not wait.
    if (ALWAYS_ANSWERED.has(urlOf(request).pathname)) return undefined;
    return keys.refreshOnce();
  }

  /** Whether another node of the cluster forwarded the request. */
  isForwarded({ headers }: Pick<Request, 'headers'>): boolean {
    return this.cluster?.to_leader.isPeer(headers) === true;
  }

  /** Whether a request comes from a holder of a key or from another node. Does not count as a use of the key. */
  trusts(headers: Headers): boolean {
    return this.running?.keys.holds(headers) === true || this.isForwarded({ headers });
  }

  get cluster(): ClusterNode | undefined {
    return this.running?.service.cluster;
  }

  /** The service for an admitted request, which is served to its end even while the service closes. */
  get service(): Service {
    // Cannot happen: routes admit requests before they handle them.
    if (this.running === undefined) throw loading();
    return this.running.service;
  }

  private serving(): Running {
    if (this.closing) throw shuttingDown();
    if (this.running === undefined) throw loading();
    return this.running;
  }
}
