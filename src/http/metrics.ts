import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import pkg from '../../package.json';
import type { Checkpoints } from '../checkpoint/checkpoints.ts';
import { type FeedMeter, type PluginTotals, STAGES } from '../feed/feed-meter.ts';
import { EFFORTS, type LoadGauge } from '../feed/load-gauge.ts';
import { type PluginTiming, SAMPLE_EVERY, type SampledTotals } from '../feed/plugin-timing.ts';
import type { IngestResult } from '../ingest/outcome.ts';
import { LIMITS } from '../limits.ts';
import type { Kind } from '../registry/registry.ts';
import type { Service } from '../service.ts';
import { BoundedLabels } from './bounded-labels.ts';
import { EventLoopWatch, type Label, readProcess } from './process-metrics.ts';

/** Seconds: pages take tens of microseconds, large ingest bodies a second. */
const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/**
 * Everything that `GET /metrics` tells. Counters of events are moved as they happen; what the service
 * knows anyway (sizes, totals of the feed meter) is read when it is asked for. A registry of its own, so
 * that two services in one process do not share numbers.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations: Histogram<'method' | 'route' | 'status'>;
  private readonly records: Counter<'kind' | 'outcome'>;
  private readonly referers: Counter<'referer'>;
  private readonly titles: Counter<'title'>;
  private readonly known_referers = new BoundedLabels();
  private readonly known_titles = new BoundedLabels();
  private readonly event_loop = new EventLoopWatch();

  /** @param service the running service, once there is one */
  constructor(private readonly service: () => Service | undefined) {
    const registers = [this.registry];
    this.durations = new Histogram({
      name: 'feedloom_http_request_duration_seconds',
      help: 'Time from the arrival of a request until its answer is made.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.records = new Counter({
      name: 'feedloom_ingest_records_total',
      help: 'Records sent for ingest, by kind and by whether they were accepted.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.referers = new Counter({
      name: 'feedloom_feed_requests_by_referer_total',
      help: 'Feed requests by the host named in HTTP-Referer; the first hundred, then "other".',
      labelNames: ['referer'],
      registers,
    });
    this.titles = new Counter({
      name: 'feedloom_feed_requests_by_title_total',
      help: 'Feed requests by X-Title; the first hundred, then "other".',
      labelNames: ['title'],
      registers,
    });
    this.readFeeds();
    this.readService();
    this.readLoad();
    readProcess((...metric) => this.level(...metric), this.event_loop);
  }

  readonly content_type = Registry.PROMETHEUS_CONTENT_TYPE;

  /** The Prometheus text. */
  text(): Promise<string> {
    return this.registry.metrics();
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

  /** All three labels are bounded: known methods, route patterns, statuses of the error table. */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
  }

  ingested(kind: string, { accepted, rejected_count }: IngestResult): void {
    if (accepted > 0) this.records.inc({ kind, outcome: 'accepted' }, accepted);
    if (rejected_count > 0) this.records.inc({ kind, outcome: 'rejected' }, rejected_count);
  }

  /** Who sends feed requests, as they say themselves. */
  feedRequested(headers: Headers): void {
    const referer = headers.get('http-referer');
    if (referer !== null) this.referers.inc({ referer: this.known_referers.of(hostOf(referer)) });
    const title = headers.get('x-title');
    if (title !== null) this.titles.inc({ title: this.known_titles.of(title) });
  }

  private readFeeds(): void {
    this.total('feedloom_pages_total', 'Pages built.', ['feed_type'], ({ pages }) =>
      [...pages].map(([feed_type, { pages: built }]) => [{ feed_type }, built]),
    );
    this.total('feedloom_page_items_total', 'Items on the pages built.', ['feed_type'], ({ pages }) =>
      [...pages].map(([feed_type, { items }]) => [{ feed_type }, items]),
    );
    this.total(
      'feedloom_stage_seconds_total',
      'Time spent in each stage of building pages.',
      ['stage'],
      (meter) => STAGES.map((stage) => [{ stage }, meter.milliseconds(stage) / 1000]),
    );
    const labels = ['kind', 'plugin'];
    this.total('feedloom_plugin_requests_total', 'Pages that used a plugin.', labels, (meter) => [
      ...pluginTotals('filters', meter.filters, ({ requests }) => requests),
      ...pluginTotals('visibility_rules', meter.rules, ({ requests }) => requests),
      ...pluginTotals('scoring_functions', meter.scoring, ({ requests }) => requests),
      ...pluginTotals('candidate_sources', meter.sources, ({ requests }) => requests),
      ...pluginTotals('promotion_strategies', meter.promotions, ({ requests }) => requests),
    ]);
    this.total(
      'feedloom_plugin_seconds_total',
      'Time spent in scoring functions and candidate sources, what they call included.',
      labels,
      (meter) => [
        ...pluginTotals('scoring_functions', meter.scoring, ({ milliseconds }) => milliseconds / 1000),
        ...pluginTotals('candidate_sources', meter.sources, ({ milliseconds }) => milliseconds / 1000),
      ],
    );
    this.total(
      'feedloom_plugin_items_total',
      'New items that a candidate source proposed.',
      labels,
      ({ sources }) => pluginTotals('candidate_sources', sources, ({ items }) => items),
    );
    this.readPluginTiming(labels);
  }

  private readPluginTiming(labels: string[]): void {
    const sampled = (name: string, help: string, read: (totals: SampledTotals) => number) =>
      this.total(name, help, labels, (_, { totals }) =>
        [...totals].map(([plugin, of_plugin]) => [{ kind: of_plugin.kind, plugin }, read(of_plugin)]),
      );
    sampled(
      'feedloom_plugin_sampled_pages_total',
      `Pages on which a third party's plugin was timed: one in ${SAMPLE_EVERY}, and the page after a slow one.`,
      ({ pages }) => pages,
    );
    sampled(
      'feedloom_plugin_sampled_seconds_total',
      "Time spent in a third party's plugin on these pages, what it calls included.",
      ({ milliseconds }) => milliseconds / 1000,
    );
    sampled(
      'feedloom_plugin_over_budget_total',
      `Of these pages, those on which it took longer than ${LIMITS.plugin_budget_ms} ms.`,
      ({ over_budget }) => over_budget,
    );
  }

  private readService(): void {
    this.level('feedloom_ready', 'Whether the state is loaded.', [], () => [
      [{}, this.service() === undefined ? 0 : 1],
    ]);
    this.level('feedloom_write_queue_records', 'Records waiting for the store.', [], () => {
      const service = this.service();
      return service === undefined ? [] : [[{}, service.store.queued_records]];
    });
    this.level('feedloom_state_entries', 'What is held in memory, by kind.', ['kind'], () => {
      const service = this.service();
      if (service === undefined) return [];
      const sizes = Object.entries(stateSizes(service));
      return sizes.map(([kind, size]) => [{ kind }, size]);
    });
    this.level(
      'feedloom_neighbour_lists',
      'Neighbour lists that walks use: kept, waited for by a viewer, and 1 while others are built ahead.',
      ['kind'],
      () => {
        const lists = this.service()?.feeds.lists;
        return Object.entries(lists ?? {}).map(([kind, count]) => [{ kind }, Number(count)]);
      },
    );
    this.readCheckpoints();
    this.level('feedloom_build_info', 'The version that is running.', ['version'], () => [
      [{ version: pkg.version }, 1],
    ]);
  }

  private readLoad(): void {
    const level = (name: string, help: string, read: (load: LoadGauge) => number) =>
      this.level(name, help, [], () => {
        const load = this.service()?.load;
        return load === undefined ? [] : [[{}, read(load)]];
      });
    level(
      'feedloom_load_lag_seconds',
      'How late the event loop is, smoothed: what effort follows from.',
      ({ lag_ms }) => lag_ms / 1000,
    );
    level(
      'feedloom_effort',
      'How widely pages are looked for: 1, or 0.5 or 0.25 under load.',
      ({ effort }) => effort,
    );
    this.total('feedloom_pages_by_effort_total', 'Pages built, by effort.', ['effort'], ({ efforts }) =>
      EFFORTS.map((effort) => [{ effort }, efforts.get(effort) ?? 0]),
    );
  }

  private readCheckpoints(): void {
    const level = (name: string, help: string, read: (checkpoints: Checkpoints, seq: number) => number) =>
      this.level(name, help, [], () => {
        const { checkpoints, state } = this.service() ?? {};
        return checkpoints === undefined || state === undefined ? [] : [[{}, read(checkpoints, state.seq)]];
      });
    level('feedloom_checkpoints_written', 'Written since the start.', ({ figures }) => figures.written);
    level('feedloom_checkpoints_failed', 'Not written for a fault.', ({ figures }) => figures.failed);
    level('feedloom_checkpoint_bytes', 'Size of the last one.', ({ figures }) => figures.bytes);
    level('feedloom_checkpoint_seconds', 'What it took.', ({ figures }) => figures.milliseconds / 1000);
    level(
      'feedloom_checkpoint_behind_changes',
      'Changes that the next start reads beside the checkpoint.',
      ({ seq }, latest) => latest - seq,
    );
  }

  /** A total of the feed meter or the timing of plugins, read when it is asked for. */
  private total(
    name: string,
    help: string,
    labelNames: string[],
    read: (meter: FeedMeter, timing: PluginTiming) => [Label, number][],
  ): void {
    const service = this.service;
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        const feeds = service()?.feeds;
        if (feeds === undefined) return;
        for (const [labels, value] of read(feeds.meter, feeds.timing)) this.inc(labels, value);
      },
    });
  }

  /** Something that goes up and down, read when it is asked for. */
  private level(name: string, help: string, labelNames: string[], read: () => [Label, number][]): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }
}

function pluginTotals(
  kind: Kind,
  totals: ReadonlyMap<string, PluginTotals>,
  read: (totals: PluginTotals) => number,
): [Label, number][] {
  return [...totals].map(([plugin, of_plugin]) => [{ kind, plugin }, read(of_plugin)]);
}

function stateSizes({ state: { users, items, follows, interactions } }: Service): Record<string, number> {
  return {
    users: users.size,
    items: items.size,
    follows: follows.size,
    interactions: interactions.by_user.size,
  };
}

/** The host of a URL, or what was sent when it is none. */
function hostOf(referer: string): string {
  return URL.canParse(referer) ? new URL(referer).host || referer : referer;
}
