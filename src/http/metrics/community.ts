import { LIMITS } from '../../limits.ts';
import { STAGES } from '../../serve/feed-meter.ts';
import { EFFORTS } from '../../serve/load-gauge.ts';
import { SAMPLE_EVERY, type SampledTotals } from '../../serve/plugin-timing.ts';
import type { Service } from '../../service.ts';
import type { MetricTable, Sample } from './table.ts';

/** The parts of a community that the metrics read. */
export interface Measured extends Pick<Service, 'state' | 'store' | 'feeds' | 'clock' | 'ingest'> {
  checkpoints?: Pick<NonNullable<Service['checkpoints']>, 'figures' | 'seq'>;
  retention?: { readonly retired: number };
}

const PAGES: MetricTable<Measured> = {
  feedloom_pages_total: [
    'Pages built.',
    ({ feeds }) => samples(feeds.meter.pages, ({ pages }) => pages),
    'feed_type',
  ],
  feedloom_page_items_total: [
    'Items on the pages that were built.',
    ({ feeds }) => samples(feeds.meter.pages, ({ items }) => items),
    'feed_type',
  ],
  feedloom_pages_by_effort_total: [
    'Pages that were built, by effort.',
    ({ feeds }) => EFFORTS.map((effort) => [effort, feeds.meter.efforts.get(effort) ?? 0]),
    'effort',
  ],
  feedloom_stage_seconds_total: [
    'Time spent in each stage of building pages.',
    ({ feeds }) => STAGES.map((stage) => [stage, feeds.meter.milliseconds(stage) / 1000]),
    'stage',
  ],
};

const PLUGINS: MetricTable<Measured> = {
  feedloom_plugin_requests_total: [
    'Pages that used a plugin.',
    ({ feeds: { meter } }) => [
      ...samples(meter.filters, ({ requests }) => requests, 'filters'),
      ...samples(meter.rules, ({ requests }) => requests, 'visibility_rules'),
      ...samples(meter.scoring, ({ requests }) => requests, 'scoring_functions'),
      ...samples(meter.sources, ({ requests }) => requests, 'candidate_sources'),
      ...samples(meter.promotions, ({ requests }) => requests, 'promotion_strategies'),
    ],
    'kind',
    'plugin',
  ],
  feedloom_plugin_seconds_total: [
    'Time spent in scoring functions and candidate sources, including the calls that they make.',
    ({ feeds: { meter } }) => [
      ...samples(meter.scoring, ({ milliseconds }) => milliseconds / 1000, 'scoring_functions'),
      ...samples(meter.sources, ({ milliseconds }) => milliseconds / 1000, 'candidate_sources'),
    ],
    'kind',
    'plugin',
  ],
  feedloom_plugin_items_total: [
    'New items that a candidate source proposed.',
    ({ feeds }) => samples(feeds.meter.sources, ({ items }) => items, 'candidate_sources'),
    'kind',
    'plugin',
  ],
  feedloom_plugin_sampled_pages_total: [
    `Pages on which the time of a third-party plugin was measured: one in ${SAMPLE_EVERY}, and the page after a slow one.`,
    ({ feeds }) => sampled(feeds, ({ pages }) => pages),
    'kind',
    'plugin',
  ],
  feedloom_plugin_sampled_seconds_total: [
    'Time spent in a third-party plugin on the measured pages, including the calls that it makes.',
    ({ feeds }) => sampled(feeds, ({ milliseconds }) => milliseconds / 1000),
    'kind',
    'plugin',
  ],
  feedloom_plugin_over_budget_total: [
    `Measured pages on which a third-party plugin took longer than ${LIMITS.plugin_budget_ms} ms.`,
    ({ feeds }) => sampled(feeds, ({ over_budget }) => over_budget),
    'kind',
    'plugin',
  ],
};

/** Memory, queues and checkpoints. */
const SIZES: MetricTable<Measured> = {
  feedloom_write_queue_records: [
    'Records that wait to be written to the store.',
    ({ store }) => store.queued_records,
  ],
  feedloom_database_log_bytes: [
    'Size of the write-ahead log of the embedded database. It grows while any program has a transaction open that reads.',
    ({ store }) => store.log_bytes,
  ],
  feedloom_state_entries: [
    'Number of objects held in memory, by kind.',
    // Retired ordinals are counted as not free yet and as free.
    ({ state: { users, items, follows, interactions, recycler } }) => [
      ['users', users.names.count],
      ['items', items.names.count],
      ['follows', follows.size],
      ['interactions', interactions.by_user.size],
      ['ordinals_pending', recycler.size],
      ['ordinals_free', items.names.released],
    ],
    'kind',
  ],
  feedloom_clock_ahead_seconds: [
    'Seconds by which the latest stored change is ahead of the clock; above 0 only if the clock was set back.',
    ({ state, clock }) => Math.max(0, state.applied_at - clock.now()),
  ],
  feedloom_keys_given: [
    `Users and items ever named, including erased ones. The limit is ${LIMITS.keys_max} of each.`,
    ({ state: { users, items } }) => [
      ['user', users.names.next_key],
      ['item', items.names.next_key],
    ],
    'space',
  ],
  feedloom_state_limit_share: [
    'Used share of each limit of the state. At 1, requests that need more are refused with state_full.',
    ({ ingest }) => Object.entries(ingest.capacity.shares()),
    'limit',
  ],
  feedloom_items_retired: [
    'Objects retired because of their age since the start.',
    ({ retention }) => retention?.retired,
  ],
  feedloom_neighbour_lists: [
    'Neighbour lists for walks: cached, waited for by a viewer, and 1 while the lists of the start are built.',
    ({ feeds }) => Object.entries(feeds.upkeep.lists).map(([kind, count]) => [kind, Number(count)]),
    'kind',
  ],
  feedloom_embeddings: [
    'Embeddings of items: indexed, and waiting to be indexed in the background.',
    ({ feeds }) => Object.entries(feeds.upkeep.embeddings),
    'kind',
  ],
  feedloom_filter_pools: [
    'Pools of items that pass the filters of a feed: cached, and waiting to be built.',
    ({
      feeds: {
        upkeep: { pools },
      },
    }) => [
      ['kept', pools.kept],
      ['waiting', pools.waiting],
    ],
    'kind',
  ],
  feedloom_filter_pools_bytes: ['Their memory.', ({ feeds }) => feeds.upkeep.pools.bytes],
  feedloom_words: [
    'Different words of items in memory; 0 before something uses words.',
    ({ state }) => state.words.count,
  ],
  feedloom_words_bytes: ['Memory of the words of all items.', ({ state }) => state.words.size_bytes],
  feedloom_checkpoints_written: [
    'Checkpoints written since the start.',
    ({ checkpoints }) => checkpoints?.figures.written,
  ],
  feedloom_checkpoints_failed: [
    'Checkpoints that could not be written.',
    ({ checkpoints }) => checkpoints?.figures.failed,
  ],
  feedloom_checkpoint_bytes: [
    'Size of the last checkpoint.',
    ({ checkpoints }) => checkpoints?.figures.bytes,
  ],
  feedloom_checkpoint_seconds: [
    'Time that the last checkpoint took.',
    ({ checkpoints }) => checkpoints && checkpoints.figures.milliseconds / 1000,
  ],
  feedloom_checkpoint_behind_changes: [
    'Changes since the last checkpoint, which the next start has to read.',
    ({ checkpoints, state }) => checkpoints && state.seq - checkpoints.seq,
  ],
};

/** The metrics that every community has. */
export const COMMUNITY_METRICS: MetricTable<Measured> = { ...PAGES, ...PLUGINS, ...SIZES };

/** A sample of each entry. @param of values of the labels before the key */
function samples<Totals>(
  totals: ReadonlyMap<string, Totals>,
  value: (totals: Totals) => number,
  ...of: string[]
): Sample[] {
  return [...totals].map(([key, one]): Sample => [...of, key, value(one)]);
}

function sampled({ timing }: Measured['feeds'], value: (totals: SampledTotals) => number): Sample[] {
  return [...timing.totals.values()].map((totals): Sample => [totals.kind, totals.plugin, value(totals)]);
}
