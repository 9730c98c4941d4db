import { Counter, Histogram, Registry } from 'prom-client';
import pkg from '../../package.json';
import { monotonicMs } from '../clock.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { IngestResult } from '../ingest/outcome.ts';
import type { Service } from '../service.ts';
import type { CommunityName } from '../store/connection.ts';
import { BoundedLabels, hostLabel, textLabel } from './bounded-labels.ts';
import { CommunityMetrics } from './community-metrics.ts';
import { readLoad } from './load-metrics.ts';
import { readMetadata } from './metadata-metrics.ts';
import { EventLoopWatch, readProcess } from './process-metrics.ts';
import { readLevel, readTotal, type Sample } from './read-metrics.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** Seconds: pages take tens of microseconds, large ingest bodies a second. */
const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** For how long a text is given again, ms. */
const KEPT_MS = 1_000;

export interface MetricsOptions {
  /** For how long a text is given again, ms; default a second. */
  metrics_kept_ms?: number;
  monotonic?: () => number;
}

/**
 * Everything that `GET /metrics` tells. Counters of events are moved as they happen; what the service
 * knows anyway (what communities hold and cost, how metadata comes) is read when it is asked for. A registry of its own, so
 * that two services in one process do not share numbers.
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

  private text_ms = Number.NEGATIVE_INFINITY;
  private last_text: Promise<string> | undefined;

  /** @param service the running service, once there is one */
  constructor(
    service: () => Service | undefined,
    private readonly options: MetricsOptions = {},
  ) {
    const registers = [this.registry];
    this.durations = new Histogram({
      name: 'feedloom_http_request_duration_seconds',
      help: 'Time from the arrival of a request until its answer is made, or, with status 499, its caller has hung up.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.problems = new Counter({
      name: 'feedloom_http_problems_total',
      help: 'Requests answered with a problem, by its code.',
      labelNames: ['code'],
      registers,
    });
    // From the first on one can be told from none.
    for (const code of Object.keys(ERRORS) as ErrorCode[]) this.problems.inc({ code }, 0);
    this.given_up = new Counter({
      name: 'feedloom_requests_given_up_total',
      help: 'Requests whose callers hung up before they were answered.',
      registers,
    });
    this.records = new Counter({
      name: 'feedloom_ingest_records_total',
      help: 'Records sent for ingest, by kind and by whether they were accepted.',
      labelNames: ['community', 'kind', 'outcome'],
      registers,
    });
    this.referers = new Counter({
      name: 'feedloom_feed_requests_by_referer_total',
      help: 'Feed requests by the host of the http(s) URL in HTTP-Referer; the first hundred, all else is "other".',
      labelNames: ['referer'],
      registers,
    });
    this.titles = new Counter({
      name: 'feedloom_feed_requests_by_title_total',
      help: 'Feed requests by X-Title, where that is printable; the first hundred, all else is "other".',
      labelNames: ['title'],
      registers,
    });
    new CommunityMetrics(this.registry, service).read();
    readMetadata(this.registry, service);
    this.level('feedloom_build_info', 'The version that is running.', ['version'], () => [
      [{ version: pkg.version }, 1],
    ]);
    readLoad(this.registry, service);
    readProcess(this.registry, this.event_loop);
  }

  readonly content_type = Registry.PROMETHEUS_CONTENT_TYPE;

  /** The Prometheus text, made at most once a second however often it is asked for: it takes milliseconds. */
  text(): Promise<string> {
    const { monotonic = monotonicMs, metrics_kept_ms = KEPT_MS } = this.options;
    const now_ms = monotonic();
    if (this.last_text === undefined || now_ms - this.text_ms >= metrics_kept_ms) {
      this.text_ms = now_ms;
      this.last_text = this.registry.metrics();
    }
    return this.last_text;
  }

  /** From now on the lag of the event loop is watched; ends with the returned function. */
  watchEventLoop(): () => void {
    return this.event_loop.begin();
  }

  /** Tells what is under way. */
  watchRequests(requests: { readonly count: number; readonly body_bytes: number }): void {
    this.level('feedloom_requests_under_way', 'Requests that have no answer yet.', [], () => [
      [{}, requests.count],
    ]);
    this.level('feedloom_request_body_bytes', 'Bodies of these requests.', [], () => [
      [{}, requests.body_bytes],
    ]);
  }

  /** Tells what clients have not taken yet. */
  watchUnsent(unsent: Pick<UnsentAnswers, 'bytes' | 'count' | 'cut'>): void {
    this.level('feedloom_unsent_answers', 'Answers that their clients have not taken all of.', [], () => [
      [{}, unsent.count],
    ]);
    this.level('feedloom_unsent_answer_bytes', 'What is left of these.', [], () => [[{}, unsent.bytes]]);
    readTotal(this.registry, {
      name: 'feedloom_answers_cut_total',
      help: 'Answers cut and their connections closed: taken too slowly, or too many at a time.',
      labels: ['reason'],
      read: () => Object.entries(unsent.cut).map(([reason, count]): Sample => [{ reason }, count]),
    });
  }

  /** Tells whether feeds are served. */
  watchReadiness(isReady: () => boolean): void {
    this.level('feedloom_ready', 'Whether feeds are served, as /readyz has it.', [], () => [
      [{}, isReady() ? 1 : 0],
    ]);
  }

  /** Tells what the log lacks. */
  watchLog(destination: { readonly lines_lost: number }): void {
    readTotal(this.registry, {
      name: 'feedloom_log_lines_lost_total',
      help: 'Lines of the log that could not be written.',
      read: () => [[{}, destination.lines_lost]],
    });
  }

  /** Tells which connections were closed for want of descriptors. */
  watchConnections(guard: { readonly closed: number }): void {
    readTotal(this.registry, {
      name: 'feedloom_idle_connections_closed_total',
      help: 'Connections closed as the longest idle, because descriptors ran short.',
      read: () => [[{}, guard.closed]],
    });
  }

  /** All three labels are bounded: known methods, route patterns, statuses of the error table and 499. */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
  }

  refused(code: ErrorCode): void {
    this.problems.inc({ code });
  }

  givenUp(): void {
    this.given_up.inc();
  }

  ingested(
    community: CommunityName,
    kind: string,
    { accepted, rejected_count }: Pick<IngestResult, 'accepted' | 'rejected_count'>,
  ): void {
    if (accepted > 0) this.records.inc({ community, kind, outcome: 'accepted' }, accepted);
    if (rejected_count > 0) this.records.inc({ community, kind, outcome: 'rejected' }, rejected_count);
  }

  /** Who sends feed requests, as they say themselves. */
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
