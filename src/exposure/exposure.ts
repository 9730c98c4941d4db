import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, DAY_SECONDS, dayOf, type Seconds } from '../clock.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { Turns } from '../turns.ts';
import { factsOf, type Supply } from './facts.ts';
import {
  distancesOf,
  type Facts,
  type Measures,
  meanDistance,
  PageSum,
  type SampledPage,
} from './measures.ts';
import { readSample } from './sample.ts';

/** A report is reused for a hundred times as long as it took, at most five minutes: it takes a hundredth of the time. */
const REUSED_FACTOR = 100;
const REUSED_MS_MAX = 300_000;
/** Items that are added up per turn of the event loop: about a millisecond. */
const SLICE_ITEMS = 2_000;

/** Measures of a feed in the period, and on each of its days. */
export interface FeedExposure {
  /** The number of the saved feed; 0: pages without one. Undefined: all pages. */
  feed: number | undefined;
  total: Measures;
  days: { day: number; measures: Measures }[];
}

export interface ExposureReport {
  first_day: number;
  computed_at: Seconds;
  supply: Supply;
  sample: { pages: number; viewers: number; viewers_share: number };
  feeds: FeedExposure[];
}

export interface ExposureOptions {
  state: State;
  store: Pick<Store, 'readShown'>;
  clock: Clock;
  monotonicMs: () => number;
}

/** What logged pages have shown, as numbers about the health of the community. */
export class Exposure {
  private readonly turns = new Turns('reports about what was shown');
  /** By the days of the period. */
  private readonly reusable = new Map<number, { report: ExposureReport; until_ms: number }>();
  private readonly computing = new Map<number, Promise<ExposureReport>>();

  constructor(private readonly options: ExposureOptions) {}

  /**
   * The report about the last days in UTC, of which today is one. Callers who wait for the same report share it.
   * @throws ServiceError `store_unavailable`
   */
  ofDays(days: number): Promise<ExposureReport> {
    const { monotonicMs } = this.options;
    const reused = this.reusable.get(days);
    if (reused !== undefined && monotonicMs() < reused.until_ms) return Promise.resolve(reused.report);
    const computing = this.computing.get(days) ?? this.turns.take('all', () => this.compute(days));
    this.computing.set(days, computing);
    return computing.finally(() => this.computing.delete(days));
  }

  private async compute(days: number): Promise<ExposureReport> {
    const { state, clock, monotonicMs } = this.options;
    const start_ms = monotonicMs();
    const computed_at = clock.now();
    const first_day = dayOf(computed_at) - days + 1;
    const facts = await factsOf(state, first_day * DAY_SECONDS, computed_at);
    const { pages, viewers_share } = await readSample(this.options, first_day);
    const feeds = [await exposureOf(undefined, pages, facts)];
    for (const [feed, of_feed] of Map.groupBy(pages, (page) => page.feed))
      feeds.push(await exposureOf(feed, of_feed, facts));
    const sample = { pages: pages.length, viewers: feeds[0].total.viewers, viewers_share };
    const report = { first_day, computed_at, supply: facts.supply, sample, feeds };
    const end_ms = monotonicMs();
    const reused_ms = Math.min(REUSED_FACTOR * (end_ms - start_ms), REUSED_MS_MAX);
    this.reusable.set(days, { report, until_ms: end_ms + reused_ms });
    return report;
  }
}

async function exposureOf(
  feed: number | undefined,
  pages: readonly SampledPage[],
  facts: Facts,
): Promise<FeedExposure> {
  const by_day = [...Map.groupBy(pages, ({ day }) => day)].sort(([one], [other]) => one - other);
  const days: FeedExposure['days'] = [];
  for (const [day, of_day] of by_day) days.push({ day, measures: await measured(of_day, facts) });
  return { feed, total: await measured(pages, facts), days };
}

/** O(items on the pages), with pauses. */
async function measured(pages: readonly SampledPage[], facts: Facts): Promise<Measures> {
  const sum = new PageSum(facts);
  let items = 0;
  for (const page of pages) {
    sum.add(page);
    items += page.items.length;
    if (items < SLICE_ITEMS) continue;
    items = 0;
    await nextTurn();
  }
  const distances = [];
  for (const alike of Map.groupBy(
    pages,
    ({ day, feed, feed_type }) => `${day} ${feed} ${feed_type}`,
  ).values()) {
    distances.push(distancesOf(alike));
    await nextTurn();
  }
  return sum.result(meanDistance(distances));
}
