import { createHistogram } from 'node:perf_hooks';
import type { Timers } from '../../clock.ts';
import type { ErrorCode } from '../../errors.ts';
import { FEED_TYPES, type FeedType } from '../../plugin/index.ts';
import type { Service } from '../../service.ts';

/** Seconds between two samples. */
const TICK_SECONDS = 60;

/** The kept series: an hour of minutes, and a day of five minutes. */
export const WINDOWS = { '1h': { ticks: 1, points_max: 60 }, '24h': { ticks: 5, points_max: 288 } } as const;
export type Window = keyof typeof WINDOWS;

export function everySeconds(window: Window): number {
  return WINDOWS[window].ticks * TICK_SECONDS;
}

/** Longer durations count as this one: a minute. */
const LATENCY_MAX_US = 60_000_000;

/** The figures of one interval. */
export interface HistoryPoint {
  /** End of the interval, seconds since the epoch. */
  at: number;
  /** Pages built, by feed type. */
  pages: Record<FeedType, number>;
  short_pages: number;
  fallback_pages: number;
  cold_start_pages: number;
  /** Of feed requests that were answered with a page; null without one. */
  p50_ms: number | null;
  p99_ms: number | null;
  /** Requests answered with an error, by code. */
  errors: Partial<Record<ErrorCode, number>>;
  records_per_second: number;
  /** Mean time until a request with records was answered; null without one. */
  ingest_ms: number | null;
  /** At the end of the interval. */
  queued_records: number;
  memory_bytes: number;
  /** Time spent in scoring functions and candidate sources. */
  plugin_ms: number;
}

interface Totals {
  pages: Record<FeedType, number>;
  short_pages: number;
  fallback_pages: number;
  cold_start_pages: number;
  plugin_ms: number;
}

/**
 * The recent past of some metrics, for the console. Services without a Prometheus server have no other history.
 *
 * It is kept in memory: 348 points of some hundred bytes, and nothing after a restart.
 */
export class MetricsHistory {
  private readonly series: Readonly<Record<Window, Series>>;
  private ticks = 0;
  private cancel = (): void => {};

  constructor(monotonic: () => number) {
    this.series = {
      '1h': new Series(WINDOWS['1h'].points_max, monotonic),
      '24h': new Series(WINDOWS['24h'].points_max, monotonic),
    };
  }

  /** The points of a window, oldest first. */
  points(window: Window): readonly HistoryPoint[] {
    return this.series[window].points;
  }

  /** Starts to sample a service. @returns a function that stops it */
  begin(service: Service, timers: Timers): () => void {
    const totals = totalsOf(service);
    for (const series of Object.values(this.series)) series.begin(totals);
    const tick = (): void => {
      this.ticks++;
      for (const window of Object.keys(WINDOWS) as Window[])
        if (this.ticks % WINDOWS[window].ticks === 0) this.series[window].add(service);
      this.cancel = timers.after(TICK_SECONDS, tick);
    };
    this.cancel = timers.after(TICK_SECONDS, tick);
    return () => this.cancel();
  }

  paged(milliseconds: number): void {
    // A histogram counts integers from 1 on.
    const microseconds = Math.min(LATENCY_MAX_US, Math.max(1, Math.round(milliseconds * 1000)));
    for (const { latency } of Object.values(this.series)) latency.record(microseconds);
  }

  ingested(milliseconds: number): void {
    for (const series of Object.values(this.series)) {
      series.ingest_requests++;
      series.ingest_ms += milliseconds;
    }
  }

  recordsSent(count: number): void {
    for (const series of Object.values(this.series)) series.records += count;
  }

  refused(code: ErrorCode): void {
    for (const { errors } of Object.values(this.series)) errors.set(code, (errors.get(code) ?? 0) + 1);
  }
}

/** Points of one window, and what was counted since the last of them. */
class Series {
  readonly points: HistoryPoint[] = [];
  /** In microseconds, exact to 1 %. */
  readonly latency = createHistogram({ lowest: 1, highest: LATENCY_MAX_US, figures: 2 });
  readonly errors = new Map<ErrorCode, number>();
  records = 0;
  ingest_requests = 0;
  ingest_ms = 0;
  private last: Totals | undefined;
  private last_ms = 0;

  constructor(
    private readonly points_max: number,
    private readonly monotonic: () => number,
  ) {}

  begin(totals: Totals): void {
    this.last = totals;
    this.last_ms = this.monotonic();
  }

  /** Adds the point of the interval that ends now. */
  add(service: Service): void {
    const totals = totalsOf(service);
    const last = this.last ?? totals;
    const seconds = Math.max(1, this.monotonic() - this.last_ms) / 1000;
    const pages = FEED_TYPES.map((type) => [type, totals.pages[type] - last.pages[type]]);
    this.points.push({
      at: Math.floor(service.clock.now()),
      pages: Object.fromEntries(pages) as Record<FeedType, number>,
      short_pages: totals.short_pages - last.short_pages,
      fallback_pages: totals.fallback_pages - last.fallback_pages,
      cold_start_pages: totals.cold_start_pages - last.cold_start_pages,
      p50_ms: this.percentileMs(50),
      p99_ms: this.percentileMs(99),
      errors: Object.fromEntries(this.errors),
      records_per_second: rounded(this.records / seconds),
      ingest_ms: this.ingest_requests === 0 ? null : rounded(this.ingest_ms / this.ingest_requests),
      queued_records: service.store.queued_records,
      memory_bytes: process.memoryUsage.rss(),
      plugin_ms: rounded(totals.plugin_ms - last.plugin_ms),
    });
    if (this.points.length > this.points_max) this.points.shift();
    this.forget();
    this.begin(totals);
  }

  private percentileMs(percent: number): number | null {
    return this.latency.count === 0 ? null : this.latency.percentile(percent) / 1000;
  }

  private forget(): void {
    this.latency.reset();
    this.errors.clear();
    this.records = 0;
    this.ingest_requests = 0;
    this.ingest_ms = 0;
  }
}

function totalsOf({ feeds: { meter } }: Service): Totals {
  const pages = FEED_TYPES.map((type) => [type, meter.pages.get(type)?.pages ?? 0]);
  const plugins = [...meter.scoring.values(), ...meter.sources.values()];
  return {
    pages: Object.fromEntries(pages) as Record<FeedType, number>,
    ...meter.kinds_of_pages,
    plugin_ms: plugins.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
