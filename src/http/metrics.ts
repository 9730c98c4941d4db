import { Counter, Histogram, Registry } from 'prom-client';
import pkg from '../../package.json';
import { monotonicMs } from '../clock.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { IngestResult } from '../ingest/outcome.ts';
import { FEED_TYPES } from '../plugin/index.ts';
import type { Service } from '../service.ts';
import type { CommunityName } from '../store/connection.ts';
import type { SpanFigures } from '../tracing/exporter.ts';
import { BoundedLabels, hostLabel, textLabel } from './bounded-labels.ts';
import { readCluster } from './cluster-metrics.ts';
import { CommunityMetrics } from './community-metrics.ts';
import { readConnectors } from './connector-metrics.ts';
import { readLoad } from './load-metrics.ts';
import { readMetadata } from './metadata-metrics.ts';
import { MetricsHistory } from './metrics-history.ts';
import { EventLoopWatch, readProcess } from './process-metrics.ts';
import { readLevel, readTotal, type Sample } from './read-metrics.ts';
import type { UnsentAnswers } from './unsent-answers.ts';
import { readWebhooks } from './webhook-metrics.ts';

/** In seconds: pages take tens of microseconds, large ingest bodies a second. */
const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** The routes that the history of latencies is about. */
const FEED_ROUTE = new RegExp(`^/v2/[^/]+/.*/(?:${FEED_TYPES.join('|')})$`);
const INGEST_ROUTE = /^\/v2\/[^/]+\/(?:items|users|follows|blocks|interactions)$/;

/** For how long the text is cached, ms. */
const KEPT_MS = 1_000;

export interface MetricsOptions {
  /** For how long the text is cached, ms. Default one second. */
  metrics_kept_ms?: number;
  monotonic?: () => number;
}

/**
 * The metrics of `GET /metrics`.
 *
 * Counters are incremented as events happen. Figures that the service holds anyway are read when the text is made. Each
 * instance has its own registry, so that two services in one process do not share counters.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations: Histogram<'method' | 'route' | 'status'>;
  private readonly problems: Counter<'code'>;
  private readonly given_up: Counter;
  private readonly records: Counter<'community' | 'kind' | 'outcome'>;
  private readonly referers: Counter<'referer'>;
  private readonly titles: Counter<'title'>;
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
    const registers = [this.registry];
    this.history = new MetricsHistory(options.monotonic ?? monotonicMs);
    this.durations = new Histogram({
      name: 'feedloom_http_request_duration_seconds',
      help: 'Time from the arrival of a request until its answer is ready, or, with status 499, until the client disconnected.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.problems = new Counter({
      name: 'feedloom_http_problems_total',
      help: 'Requests answered with an error, by code.',
      labelNames: ['code'],
      registers,
    });
    // Initialised so that a first error is visible as an increase from 0.
    for (const code of Object.keys(ERRORS) as ErrorCode[]) this.problems.inc({ code }, 0);
    this.given_up = new Counter({
      name: 'feedloom_requests_given_up_total',
      help: 'Requests whose clients disconnected before the answer.',
      registers,
    });
    this.records = new Counter({
      name: 'feedloom_ingest_records_total',
      help: 'Records sent for ingest, by kind and outcome.',
      labelNames: ['community', 'kind', 'outcome'],
      registers,
    });
    this.referers = new Counter({
      name: 'feedloom_feed_requests_by_referer_total',
      help: 'Feed requests by host of the http(s) URL in HTTP-Referer. The first hundred hosts have a label; all others are "other".',
      labelNames: ['referer'],
      registers,
    });
    this.titles = new Counter({
      name: 'feedloom_feed_requests_by_title_total',
      help: 'Feed requests by X-Title, if it is printable. The first hundred titles have a label; all others are "other".',
      labelNames: ['title'],
      registers,
    });
    new CommunityMetrics(this.registry, service).read();
    readMetadata(this.registry, service);
    this.level('feedloom_build_info', 'The running version.', ['version'], () => [
      [{ version: pkg.version }, 1],
    ]);
    readConnectors(this.registry, service);
    readCluster(this.registry, service);
    readWebhooks(this.registry, service);
    readLoad(this.registry, service);
    readProcess(this.registry, this.event_loop);
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

  /** Measures the lag of the event loop. @returns a function that stops the measurement */
  watchEventLoop(): () => void {
    return this.event_loop.begin();
  }

  /** Adds metrics of the requests under way. */
  watchRequests(requests: { readonly count: number; readonly body_bytes: number }): void {
    this.level('feedloom_requests_under_way', 'Requests that are not answered yet.', [], () => [
      [{}, requests.count],
    ]);
    this.level(
      'feedloom_request_body_bytes',
      'Bytes received of the bodies of requests under way.',
      [],
      () => [[{}, requests.body_bytes]],
    );
  }

  /** Adds metrics of answers that clients have not read yet. */
  watchUnsent(unsent: Pick<UnsentAnswers, 'bytes' | 'count' | 'cut'>): void {
    this.level('feedloom_unsent_answers', 'Answers that clients have not read completely.', [], () => [
      [{}, unsent.count],
    ]);
    this.level('feedloom_unsent_answer_bytes', 'Unread bytes of these answers.', [], () => [
      [{}, unsent.bytes],
    ]);
    readTotal(this.registry, {
      name: 'feedloom_answers_cut_total',
      help: 'Answers that were cut off, with their connections closed: read too slowly, or too many at a time.',
      labels: ['reason'],
      read: () => Object.entries(unsent.cut).map(([reason, count]): Sample => [{ reason }, count]),
    });
  }

  /** Adds the metric of readiness. */
  watchReadiness(isReady: () => boolean): void {
    this.level('feedloom_ready', 'Whether feeds are served, as in /readyz.', [], () => [
      [{}, isReady() ? 1 : 0],
    ]);
  }

  /** Adds the metric of lost log lines. */
  watchLog(destination: { readonly lines_lost: number }): void {
    readTotal(this.registry, {
      name: 'feedloom_log_lines_lost_total',
      help: 'Log lines that could not be written.',
      read: () => [[{}, destination.lines_lost]],
    });
  }

  /** Adds the metrics of traces. */
  watchSpans(figures: SpanFigures): void {
    readTotal(this.registry, {
      name: 'feedloom_spans_exported_total',
      help: 'Spans of traced requests that the collector has taken.',
      read: () => [[{}, figures.exported]],
    });
    readTotal(this.registry, {
      name: 'feedloom_spans_dropped_total',
      help: 'Spans of traced requests that were not sent, could not be sent, or were rejected by the collector.',
      labels: ['reason'],
      read: () => Object.entries(figures.dropped).map(([reason, count]): Sample => [{ reason }, count]),
    });
  }

  /** Adds the metric of connections closed for lack of file descriptors. */
  watchConnections(guard: { readonly closed: number }): void {
    readTotal(this.registry, {
      name: 'feedloom_idle_connections_closed_total',
      help: 'Connections closed because file descriptors ran short, those idle for longest first.',
      read: () => [[{}, guard.closed]],
    });
  }

  /** Counts an answer. All labels are bounded: known methods, route patterns, statuses of the error table and 499. */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
    if (method !== 'POST') return;
    if (status === 200 && FEED_ROUTE.test(route)) this.history.paged(seconds * 1000);
    else if (INGEST_ROUTE.test(route)) this.history.ingested(seconds * 1000);
  }

  refused(code: ErrorCode): void {
    this.problems.inc({ code });
    this.history.refused(code);
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

  private level(name: string, help: string, labels: string[], read: () => Sample[]): void {
    readLevel(this.registry, { name, help, labels, read });
  }
}
