import { setImmediate as nextTurn } from 'node:timers/promises';
import { NONE } from '../state/change.ts';
import type { EndedPeriod, ExperimentContent } from '../state/experiment-content.ts';
import type { State } from '../state/state.ts';
import type { VariantViewer } from '../state/variant-viewers.ts';
import { TotalsSum } from './metrics.ts';

const SECONDS_PER_DAY = 86_400;
/** Viewers that are read in one turn of the event loop. */
const VIEWERS_AT_ONCE = 2_000;

/** What the viewers of the current period did, per variant. O(viewers), with pauses. */
export async function totalsOf(
  state: State,
  { variants }: Pick<ExperimentContent, 'variants'>,
): Promise<EndedPeriod['variants']> {
  const today = Math.floor(state.applied_at / SECONDS_PER_DAY);
  const all: EndedPeriod['variants'] = [];
  for (const { arm, ...variant } of variants) {
    const sum = new TotalsSum(today);
    for await (const viewers of viewersOf(state, arm)) for (const { viewer } of viewers) sum.add(viewer);
    all.push({ ...variant, totals: sum.result() });
  }
  return all;
}

/** The viewers of an arm, some at a time. Hidden users do not count. */
export async function* viewersOf(
  { users, experiments }: State,
  arm: number,
): AsyncGenerator<{ user_id: string; viewer: VariantViewer }[]> {
  const keys = experiments.viewersOf(arm);
  for (let start = 0; start < keys.length; start += VIEWERS_AT_ONCE) {
    if (start > 0) await nextTurn();
    yield keys.slice(start, start + VIEWERS_AT_ONCE).flatMap((key) => {
      const user = users.names.ordinal(key);
      const viewer = experiments.viewer(arm, key);
      if (viewer === undefined || user === NONE || users.hidden(user)) return [];
      return [{ user_id: users.names.id(user), viewer }];
    });
  }
}
