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

/** What is told of a community. */
interface Measured extends Pick<Service, 'state' | 'store' | 'feeds' | 'clock' | 'ingest'> {
  checkpoints?: Pick<NonNullable<Service['checkpoints']>, 'figures' | 'seq'>;
  retention?: { readonly retired: number };
}

/** A metric of each community; the label `community` is added to its samples. */
interface CommunityMetric extends Omit<ReadMetric, 'read'> {
  read(community: Measured): Iterable<Sample>;
}

/** What pages cost, what is held and what waits, of the communities that there are: none is made for it. */
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
      help: 'Items on the pages built.',
      labels: ['feed_type'],
      read: ({ feeds }) => [...feeds.meter.pages].map(([feed_type, { items }]) => [{ feed_type }, items]),
    });
    this.total({
      name: 'feedloom_pages_by_effort_total',
      help: 'Pages built, by effort.',
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
      help: 'Time spent in scoring functions and candidate sources, what they call included.',
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

  private readSizes(): void {
    this.level({
      name: 'feedloom_write_queue_records',
      help: 'Records waiting for the store.',
      read: ({ store }) => [[{}, store.queued_records]],
    });
    this.level({
      name: 'feedloom_state_entries',
      help: 'What is held in memory, by kind.',
      labels: ['kind'],
      read: (community) => Object.entries(stateSizes(community)).map(([kind, size]) => [{ kind }, size]),
    });
    this.level({
      name: 'feedloom_clock_ahead_seconds',
      help: 'How far what is stored last is dated ahead of the clock; 0 unless that was set back.',
      read: ({ state, clock }) => [[{}, Math.max(0, state.applied_at - clock.now())]],
    });
    this.level({
      name: 'feedloom_keys_given',
      help: `Users and items named since the data began, of ${LIMITS.keys_max} each; what is erased counts.`,
      labels: ['space'],
      read: ({ state: { users, items } }) => [
        [{ space: 'user' }, users.names.next_key],
        [{ space: 'item' }, items.names.next_key],
      ],
    });
    this.level({
      name: 'feedloom_state_limit_share',
      help: 'Share of each limit of the state that is used; at 1 what needs more is refused with state_full.',
      labels: ['limit'],
      read: ({ ingest }) =>
        Object.entries<number>(ingest.room.shares()).map(([limit, share]) => [{ limit }, share]),
    });
    this.level({
      name: 'feedloom_items_retired',
      help: 'Retired for their age since the start.',
      read: ({ retention }) => (retention === undefined ? [] : [[{}, retention.retired]]),
    });
    this.level({
      name: 'feedloom_neighbour_lists',
      help: 'Neighbour lists that walks use: kept, waited for by a viewer, and 1 while others are built ahead.',
      labels: ['kind'],
      read: ({ feeds }) => Object.entries(feeds.lists).map(([kind, count]) => [{ kind }, Number(count)]),
    });
  }

  private readPools(): void {
    this.level({
      name: 'feedloom_filter_pools',
      help: 'Pools of the items that the filters of a feed keep: kept, and waiting to be built.',
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
}

function pluginTotals(
  kind: Kind,
  totals: ReadonlyMap<string, PluginTotals>,
  value: (totals: PluginTotals) => number,
): Sample[] {
  return [...totals].map(([plugin, of_plugin]) => [{ kind, plugin }, value(of_plugin)]);
}
