import { Counter, Histogram, Registry } from 'prom-client';
import { monotonicMs } from '../../clock.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { IngestResult } from '../../ingest/outcome.ts';
import { FEED_TYPES } from '../../plugin/index.ts';
import type { Service } from '../../service.ts';
import type { CommunityName } from '../../store/connection.ts';
import { EventLoopWatch } from './event-loop-watch.ts';
import { MetricsHistory } from './history.ts';
import { PROCESS } from './host.ts';
import { SERVICE_METRICS } from './service.ts';
import { type MetricTable, register } from './table.ts';

const LABELS_MAX = 100;
const LABEL_LENGTH_MAX = 64;
const OTHER = 'other';

/** Letters, digits, punctuation and blanks: no control characters and no marks that change the text direction. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/**
 * Bounds the number of metric labels that callers can create.
 *
 * The first hundred values keep their name, later ones become `other`.
 */
class BoundedLabels {
  private readonly known = new Set<string>();

  /** @param value undefined for an invalid value, which becomes `other` */
  of(value: string | undefined): string {
    if (value === undefined || this.known.has(value)) return value ?? OTHER;
    if (this.known.size >= LABELS_MAX) return OTHER;
    this.known.add(value);
    return value;
  }
}

/** Host of an http(s) URL. Undefined for other text and for hosts longer than 64 characters. */
function hostLabel(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return parsed.host.length <= LABEL_LENGTH_MAX ? parsed.host : undefined;
}

/** A printable text, cut to 64 characters. Undefined for other text. */
function textLabel(text: string): string | undefined {
  const label = [...text.trim()].slice(0, LABEL_LENGTH_MAX).join('');
  return PRINTABLE.test(label) ? label : undefined;
}

/** In seconds: pages take tens of microseconds, large ingest bodies a second. */
const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** The routes that the history of latencies is about. */
const FEED_ROUTE = new RegExp(`^/v2/[^/]+/.*/(?:${FEED_TYPES.join('|')})$`);
const INGEST_ROUTE = /^\/v2\/[^/]+\/(?:items|users|follows|blocks|interactions|labels)$/;

const KEPT_MS = 1_000;

export interface MetricsOptions {
  /** For how long the text is cached, ms. Default one second. */
  metrics_kept_ms?: number;
  monotonic?: () => number;
}

/**
 * The metrics of `GET /metrics`.
 *
 * Counters of this class are incremented as events happen. Figures that the service holds anyway are in tables and read
 * when the text is made. Each instance has its own registry, so that two services in one process do not share counters.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'feedloom_http_request_duration_seconds',
    help: 'Time from the arrival of a request until its answer is ready, or, with status 499, until the client disconnected.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly problems = this.counter(
    'feedloom_http_problems_total',
    'Requests answered with an error, by code.',
    'code',
  );
  private readonly given_up = this.counter(
    'feedloom_requests_given_up_total',
    'Requests whose clients disconnected before the answer.',
  );
  private readonly records = this.counter(
    'feedloom_ingest_records_total',
    'Records sent for ingest, by kind and outcome.',
    'community',
    'kind',
    'outcome',
  );
  private readonly referers = this.counter(
    'feedloom_feed_requests_by_referer_total',
    'Feed requests by host of the http(s) URL in HTTP-Referer. The first hundred hosts have a label; all others are "other".',
    'referer',
  );
  private readonly titles = this.counter(
    'feedloom_feed_requests_by_title_total',
    'Feed requests by X-Title, if it is printable. The first hundred titles have a label; all others are "other".',
    'title',
  );
  private readonly known_referers = new BoundedLabels();
  private readonly known_titles = new BoundedLabels();
  private readonly event_loop = new EventLoopWatch();

  readonly history: MetricsHistory;
  private text_ms = Number.NEGATIVE_INFINITY;
  private last_text: Promise<string> | undefined;

  /** @param service returns the service; undefined until it is loaded */
  constructor(
    service: () => Service | undefined,
    private readonly options: MetricsOptions = {},
  ) {
    this.history = new MetricsHistory(options.monotonic ?? monotonicMs);
    // Initialised so that a first error is visible as an increase from 0.
    for (const code of Object.keys(ERRORS)) this.problems.inc({ code }, 0);
    register(this.registry, SERVICE_METRICS, service);
    this.watch(PROCESS, this.event_loop);
  }

  readonly content_type = Registry.PROMETHEUS_CONTENT_TYPE;

  /** The Prometheus text. It is cached for a second, because making it takes milliseconds. */
  text(): Promise<string> {
    const { monotonic = monotonicMs, metrics_kept_ms = KEPT_MS } = this.options;
    const now_ms = monotonic();
    if (this.last_text === undefined || now_ms - this.text_ms >= metrics_kept_ms) {
      this.text_ms = now_ms;
      this.last_text = this.registry.metrics();
    }
    return this.last_text;
  }

  watchEventLoop(): () => void {
    return this.event_loop.begin();
  }

  watch<Subject>(table: MetricTable<Subject>, subject: Subject): void {
    register(this.registry, table, () => subject);
  }

  /** Counts an answer. All labels are bounded: known methods, route patterns, statuses of the error table and 499. */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
    if (method !== 'POST') return;
    if (status === 200 && FEED_ROUTE.test(route)) this.history.paged(seconds * 1000);
    else if (INGEST_ROUTE.test(route)) this.history.ingested(seconds * 1000);
  }

  /** @param is_probe whether it answered a check of a balancer or a monitor, which is no failed request */
  refused(code: ErrorCode, is_probe: boolean): void {
    this.problems.inc({ code });
    if (!is_probe) this.history.refused(code);
  }

  givenUp(): void {
    this.given_up.inc();
  }

  ingested(
    community: CommunityName,
    kind: string,
    { accepted, rejected_count }: Pick<IngestResult, 'accepted' | 'rejected_count'>,
  ): void {
    this.history.recordsSent(accepted + rejected_count);
    if (accepted > 0) this.records.inc({ community, kind, outcome: 'accepted' }, accepted);
    if (rejected_count > 0) this.records.inc({ community, kind, outcome: 'rejected' }, rejected_count);
  }

  /** Counts a feed request by the application that its headers name. */
  feedRequested(headers: Headers): void {
    const referer = headers.get('http-referer');
    if (referer !== null) this.referers.inc({ referer: this.known_referers.of(hostLabel(referer)) });
    const title = headers.get('x-title');
    if (title !== null) this.titles.inc({ title: this.known_titles.of(textLabel(title)) });
  }

  private counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
