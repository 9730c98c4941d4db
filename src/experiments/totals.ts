import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_SECONDS } from '../clock.ts';
import type { EndedPeriod, ExperimentContent } from '../model/experiment-content.ts';
import { NONE } from '../model/key.ts';
import type { State } from '../state/state.ts';
import type { ExperimentRows, ViewerOutcome } from '../store/experiment-rows.ts';
import { KnownViewers } from './known-viewers.ts';
import { TotalsSum } from './metrics.ts';
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

type Period = Pick<ExperimentContent, 'variants' | 'attribution_hours'>;

/** What the viewers of the current period did, per variant. O(pages + outcomes + users), with pauses. */
export async function totalsOf(data: CountedData, period: Period): Promise<EndedPeriod['variants']> {
  const { state, viewerOf } = data;
  const today = Math.floor(data.now() / DAY_SECONDS);
  const hidden = await KnownViewers.of(state, viewerOf, (user) => state.users.hidden(user));
  const all: EndedPeriod['variants'] = [];
  for (const { arm, ...variant } of period.variants) {
    const sum = new TotalsSum(today);
    for await (const viewers of viewersOf(data, period, arm))
      for (const viewer of viewers) if (hidden.find(viewer.viewer) === NONE) sum.add(viewer);
    all.push({ ...variant, totals: sum.result() });
  }
  return all;
}

/** The viewers of an arm in the order of their hashes, some at a time. */
export async function* viewersOf(
  { state, rows }: CountedData,
  { attribution_hours }: Pick<Period, 'attribution_hours'>,
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
