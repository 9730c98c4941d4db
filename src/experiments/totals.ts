import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_SECONDS } from '../clock.ts';
import type { ExperimentContent, PeriodTotals } from '../model/experiment-content.ts';
import { NONE } from '../model/key.ts';
import type { State } from '../state/state.ts';
import type { ExperimentRows, ViewerOutcome } from '../store/experiment-rows.ts';
import { comparedCohorts, comparedTeams, type TeamTotals } from './compared.ts';
import { KnownViewers } from './known-viewers.ts';
import { CREDIT_METRICS, metricOf, TotalsSum } from './metrics.ts';
import { cohortAt, MIXED } from './ranges.ts';
import { type VariantViewer, ViewerCount } from './variant-viewer.ts';

const SECONDS_PER_HOUR = 3_600;
/** Rows of a read, between two turns of the event loop. */
const ROWS_READ = 500;
/** Before all viewers. */
const START = { viewer: '', number: 0, seq: 0 };

/** What results are computed from. */
export interface CountedData {
  state: State;
  rows: ExperimentRows;
  /** See `viewerHash`. */
  viewerOf(user_id: string): string;
  /** The current time in seconds. */
  now(): number;
}

export type CountedPeriod = Pick<
  ExperimentContent,
  'variants' | 'attribution_hours' | 'method' | 'percent_changes'
>;

/** What the viewers of the current period did. O(pages + outcomes + users), with pauses. */
export async function totalsOf(data: CountedData, period: CountedPeriod): Promise<PeriodTotals> {
  const { state, viewerOf } = data;
  const hidden = await KnownViewers.of(state, viewerOf, (user) => state.users.hidden(user));
  const counting = {
    today: Math.floor(data.now() / DAY_SECONDS),
    /** The viewers of a variant who count. */
    async *viewersOf({ arm }: { arm: number }): AsyncGenerator<VariantViewer> {
      for await (const viewers of viewersOf(data, period, arm))
        for (const viewer of viewers) if (hidden.find(viewer.viewer) === NONE) yield viewer;
    },
  };
  return period.method === 'interleaving' ? interleaved(period, counting) : split(period, counting);
}

interface Counting {
  today: number;
  viewersOf(variant: { arm: number }): AsyncGenerator<VariantViewer>;
}

async function split({ variants, percent_changes }: CountedPeriod, { today, viewersOf }: Counting) {
  const all: PeriodTotals['variants'] = [];
  const cohorts: Map<string, TotalsSum>[] = [];
  for (const variant of variants) {
    const sum = new TotalsSum(today, 'split');
    const of_cohorts = new Map<string, TotalsSum>();
    for await (const viewer of viewersOf(variant)) {
      sum.add(viewer);
      if (percent_changes === 0) continue;
      const cohort = cohortAt(variant, viewer.point) ?? MIXED;
      const of_cohort = of_cohorts.get(cohort) ?? new TotalsSum(today, 'split');
      of_cohorts.set(cohort, of_cohort);
      of_cohort.add(viewer);
    }
    const { name, feed_id, percent } = variant;
    all.push({ name, feed_id, percent, totals: sum.result() });
    cohorts.push(of_cohorts);
  }
  if (percent_changes === 0) return { variants: all };
  return { variants: all, compared: comparedCohorts(variants, cohorts) };
}

/** All pages of both variants have the arm of the first one. */
async function interleaved(
  { variants }: CountedPeriod,
  { today, viewersOf }: Counting,
): Promise<PeriodTotals> {
  const teams = variants.map(() => new TotalsSum(today, 'interleaving'));
  const products: TeamTotals['products'] = new Map(CREDIT_METRICS.map((metric) => [metric, 0]));
  for await (const viewer of viewersOf(variants[0])) {
    const parts = viewer.of_teams.map((part) => ({ ...viewer, ...part }));
    for (const [at, part] of parts.entries()) teams[at].add(part);
    for (const [metric, sum] of products)
      products.set(metric, sum + metricOf(metric, parts[0]) * metricOf(metric, parts[1]));
  }
  const all = variants.map(({ name, feed_id, percent }, at) => ({
    ...{ name, feed_id, percent, totals: teams[at].result() },
  }));
  return { variants: all, compared: comparedTeams({ variants: all, products }) };
}

/** The viewers of an arm in the order of their hashes, some at a time. */
export async function* viewersOf(
  { state, rows }: CountedData,
  { attribution_hours }: Pick<CountedPeriod, 'attribution_hours'>,
  arm: number,
  rows_read = ROWS_READ,
): AsyncGenerator<VariantViewer[]> {
  const act_types = state.vocabulary.names.length;
  const window_seconds = attribution_hours * SECONDS_PER_HOUR;
  let count: ViewerCount | undefined;
  for (let after = START; ; ) {
    const pages = await rows.pages(arm, after, rows_read);
    const last = pages.at(-1);
    // Those of the last viewer of the former read were read with it.
    const outcomes = last && (await outcomesOf(rows, arm, rows_read, after.viewer, last.viewer));
    const done: VariantViewer[] = [];
    for (const page of pages) {
      const { viewer } = page;
      if (count?.viewer !== viewer) {
        if (count !== undefined) done.push(count);
        count = new ViewerCount(viewer, outcomes?.get(viewer) ?? [], window_seconds, act_types);
      }
      count.add(page);
    }
    const is_end = last === undefined || pages.length < rows_read;
    if (is_end && count !== undefined) done.push(count);
    yield done;
    if (is_end) return;
    after = { ...START, ...last };
    await nextTurn();
  }
}

/** The outcomes of the viewers after one, up to another one. */
async function outcomesOf(
  rows: ExperimentRows,
  arm: number,
  rows_read: number,
  after_viewer: string,
  until: string,
): Promise<Map<string, ViewerOutcome[]>> {
  const found = new Map<string, ViewerOutcome[]>();
  for (let after = { viewer: after_viewer, seq: Number.MAX_SAFE_INTEGER }; ; await nextTurn()) {
    const outcomes = await rows.outcomes(arm, after, until, rows_read);
    for (const outcome of outcomes) {
      const of_viewer = found.get(outcome.viewer);
      if (of_viewer === undefined) found.set(outcome.viewer, [outcome]);
      else of_viewer.push(outcome);
    }
    const last = outcomes.at(-1);
    if (last === undefined || outcomes.length < rows_read) return found;
    after = last;
  }
}
