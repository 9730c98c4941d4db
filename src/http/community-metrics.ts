import type { Registry } from 'prom-client';
import { LIMITS } from '../limits.ts';
import type { Kind } from '../registry/kinds.ts';
import { type PluginTotals, STAGES } from '../serve/feed-meter.ts';
import { EFFORTS } from '../serve/load-gauge.ts';
import { SAMPLE_EVERY, type SampledTotals } from '../serve/plugin-timing.ts';
import type { Service } from '../service.ts';
import type { CommunityName } from '../store/connection.ts';
import { type ReadMetric, readLevel, readTotal, type Sample } from './read-metrics.ts';
import { stateSizes } from './state-sizes.ts';

/** The parts of a community that the metrics read. */
interface Measured extends Pick<Service, 'state' | 'store' | 'feeds' | 'clock' | 'ingest'> {
  checkpoints?: Pick<NonNullable<Service['checkpoints']>, 'figures' | 'seq'>;
  retention?: { readonly retired: number };
}

/** A metric that every community has. Its samples get the label `community`. */
interface CommunityMetric extends Omit<ReadMetric, 'read'> {
  read(community: Measured): Iterable<Sample>;
}

/** Metrics of the communities: cost of pages, memory, queues. */
export class CommunityMetrics {
  constructor(
    private readonly registry: Registry,
    private readonly service: () => Service | undefined,
  ) {}

  read(): void {
    this.readPages();
    this.readPlugins();
    this.readPluginTiming();
    this.readSizes();
    this.readPools();
    this.readCheckpoints();
  }

  private *communities(): Generator<[CommunityName, Measured]> {
    const service = this.service();
    if (service === undefined) return;
    yield ['content', service];
    if (service.alpha.community !== undefined) yield ['wallets', service.alpha.community];
  }

  private ofEach({ labels = [], read, ...metric }: CommunityMetric): ReadMetric {
    const samples = () =>
      [...this.communities()].flatMap(([community, measured]) =>
        [...read(measured)].map(([of, value]): Sample => [{ community, ...of }, value]),
      );
    return { ...metric, labels: ['community', ...labels], read: samples };
  }

  private total(metric: CommunityMetric): void {
    readTotal(this.registry, this.ofEach(metric));
  }

  private level(metric: CommunityMetric): void {
    readLevel(this.registry, this.ofEach(metric));
  }

  private readPages(): void {
    this.total({
      name: 'feedloom_pages_total',
      help: 'Pages built.',
      labels: ['feed_type'],
      read: ({ feeds }) => [...feeds.meter.pages].map(([feed_type, { pages }]) => [{ feed_type }, pages]),
    });
    this.total({
      name: 'feedloom_page_items_total',
      help: 'Items on the pages that were built.',
      labels: ['feed_type'],
      read: ({ feeds }) => [...feeds.meter.pages].map(([feed_type, { items }]) => [{ feed_type }, items]),
    });
    this.total({
      name: 'feedloom_pages_by_effort_total',
      help: 'Pages that were built, by effort.',
      labels: ['effort'],
      read: ({ feeds }) => EFFORTS.map((effort) => [{ effort }, feeds.meter.efforts.get(effort) ?? 0]),
    });
    this.total({
      name: 'feedloom_stage_seconds_total',
      help: 'Time spent in each stage of building pages.',
      labels: ['stage'],
      read: ({ feeds }) => STAGES.map((stage) => [{ stage }, feeds.meter.milliseconds(stage) / 1000]),
    });
  }

  private readPlugins(): void {
    const labels = ['kind', 'plugin'];
    this.total({
      name: 'feedloom_plugin_requests_total',
      help: 'Pages that used a plugin.',
      labels,
      read: ({ feeds: { meter } }) => [
        ...pluginTotals('filters', meter.filters, ({ requests }) => requests),
        ...pluginTotals('visibility_rules', meter.rules, ({ requests }) => requests),
        ...pluginTotals('scoring_functions', meter.scoring, ({ requests }) => requests),
        ...pluginTotals('candidate_sources', meter.sources, ({ requests }) => requests),
        ...pluginTotals('promotion_strategies', meter.promotions, ({ requests }) => requests),
      ],
    });
    this.total({
      name: 'feedloom_plugin_seconds_total',
      help: 'Time spent in scoring functions and candidate sources, including the calls that they make.',
      labels,
      read: ({ feeds: { meter } }) => [
        ...pluginTotals('scoring_functions', meter.scoring, ({ milliseconds }) => milliseconds / 1000),
        ...pluginTotals('candidate_sources', meter.sources, ({ milliseconds }) => milliseconds / 1000),
      ],
    });
    this.total({
      name: 'feedloom_plugin_items_total',
      help: 'New items that a candidate source proposed.',
      labels,
      read: ({ feeds }) => pluginTotals('candidate_sources', feeds.meter.sources, ({ items }) => items),
    });
  }

  private readPluginTiming(): void {
    const sampled = (name: string, help: string, value: (totals: SampledTotals) => number) =>
      this.total({
        name,
        help,
        labels: ['kind', 'plugin'],
        read: ({ feeds }) =>
          [...feeds.timing.totals.values()].map((totals) => [
            { kind: totals.kind, plugin: totals.plugin },
            value(totals),
          ]),
      });
    sampled(
      'feedloom_plugin_sampled_pages_total',
      `Pages on which the time of a third-party plugin was measured: one in ${SAMPLE_EVERY}, and the page after a slow one.`,
      ({ pages }) => pages,
    );
    sampled(
      'feedloom_plugin_sampled_seconds_total',
      'Time spent in a third-party plugin on the measured pages, including the calls that it makes.',
      ({ milliseconds }) => milliseconds / 1000,
    );
    sampled(
      'feedloom_plugin_over_budget_total',
      `Measured pages on which a third-party plugin took longer than ${LIMITS.plugin_budget_ms} ms.`,
      ({ over_budget }) => over_budget,
    );
  }

  private readSizes(): void {
    this.level({
      name: 'feedloom_write_queue_records',
      help: 'Records that wait to be written to the store.',
      read: ({ store }) => [[{}, store.queued_records]],
    });
    this.level({
      name: 'feedloom_state_entries',
      help: 'Number of objects held in memory, by kind.',
      labels: ['kind'],
      read: (community) => Object.entries(stateSizes(community)).map(([kind, size]) => [{ kind }, size]),
    });
    this.level({
      name: 'feedloom_clock_ahead_seconds',
      help: 'Seconds by which the latest stored change is ahead of the clock; above 0 only if the clock was set back.',
      read: ({ state, clock }) => [[{}, Math.max(0, state.applied_at - clock.now())]],
    });
    this.level({
      name: 'feedloom_keys_given',
      help: `Users and items ever named, including erased ones. The limit is ${LIMITS.keys_max} of each.`,
      labels: ['space'],
      read: ({ state: { users, items } }) => [
        [{ space: 'user' }, users.names.next_key],
        [{ space: 'item' }, items.names.next_key],
      ],
    });
    this.level({
      name: 'feedloom_state_limit_share',
      help: 'Used share of each limit of the state. At 1, requests that need more are refused with state_full.',
      labels: ['limit'],
      read: ({ ingest }) =>
        Object.entries<number>(ingest.capacity.shares()).map(([limit, share]) => [{ limit }, share]),
    });
    this.level({
      name: 'feedloom_items_retired',
      help: 'Objects retired because of their age since the start.',
      read: ({ retention }) => (retention === undefined ? [] : [[{}, retention.retired]]),
    });
    this.level({
      name: 'feedloom_neighbour_lists',
      help: 'Neighbour lists for walks: cached, waited for by a viewer, and 1 while the lists of the start are built.',
      labels: ['kind'],
      read: ({ feeds }) => Object.entries(feeds.lists).map(([kind, count]) => [{ kind }, Number(count)]),
    });
    this.level({
      name: 'feedloom_embeddings',
      help: 'Embeddings of items: indexed, and waiting to be indexed in the background.',
      labels: ['kind'],
      read: ({ feeds }) => Object.entries(feeds.embeddings).map(([kind, count]) => [{ kind }, count]),
    });
  }

  private readPools(): void {
    this.level({
      name: 'feedloom_filter_pools',
      help: 'Pools of items that pass the filters of a feed: cached, and waiting to be built.',
      labels: ['kind'],
      read: ({ feeds: { pools } }) => [
        [{ kind: 'kept' }, pools.kept],
        [{ kind: 'waiting' }, pools.waiting],
      ],
    });
    this.level({
      name: 'feedloom_filter_pools_bytes',
      help: 'Their memory.',
      read: ({ feeds }) => [[{}, feeds.pools.bytes]],
    });
  }

  private readCheckpoints(): void {
    const level = (
      name: string,
      help: string,
      value: (checkpoints: NonNullable<Measured['checkpoints']>, seq: number) => number,
    ) =>
      this.level({
        name,
        help,
        read: ({ checkpoints, state }) =>
          checkpoints === undefined ? [] : [[{}, value(checkpoints, state.seq)]],
      });
    level(
      'feedloom_checkpoints_written',
      'Checkpoints written since the start.',
      ({ figures }) => figures.written,
    );
    level(
      'feedloom_checkpoints_failed',
      'Checkpoints that could not be written.',
      ({ figures }) => figures.failed,
    );
    level('feedloom_checkpoint_bytes', 'Size of the last checkpoint.', ({ figures }) => figures.bytes);
    level(
      'feedloom_checkpoint_seconds',
      'Time that the last checkpoint took.',
      ({ figures }) => figures.milliseconds / 1000,
    );
    level(
      'feedloom_checkpoint_behind_changes',
      'Changes since the last checkpoint, which the next start has to read.',
      ({ seq }, latest) => latest - seq,
    );
  }
}

function pluginTotals(
  kind: Kind,
  totals: ReadonlyMap<string, PluginTotals>,
  value: (totals: PluginTotals) => number,
): Sample[] {
  return [...totals].map(([plugin, of_plugin]) => [{ kind, plugin }, value(of_plugin)]);
}
