import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EndedPeriod, ExperimentContent } from '../state/experiment-content.ts';
import type { State } from '../state/state.ts';
import { FairTurns } from '../turns.ts';
import { totalsOf } from './totals.ts';

type Totals = EndedPeriod['variants'];

/** From this number of viewers on, totals are reused for these milliseconds. */
const REUSED_VIEWERS_MIN = 10_000;
const REUSED_MS = 10_000;

/**
 * Totals of running periods, for requests.
 *
 * Millions of viewers take seconds. So at most one calculation runs at a time, requests that wait for the same period
 * share one, and totals of many viewers are reused for a short time.
 */
export class CurrentTotals {
  private readonly turns = new FairTurns("calculations of this account's results");
  /** Calculations that have not begun, by the first arm of the period. */
  private readonly waiting = new Map<number, Promise<Totals>>();
  private readonly reusable = new Map<number, { totals: Totals; until_ms: number }>();

  constructor(
    private readonly state: State,
    private readonly monotonicMs: () => number,
  ) {}

  /** Includes everything that was counted before the call, except for reused totals. */
  of(content: Pick<ExperimentContent, 'account' | 'variants'>): Promise<Totals> {
    const [{ arm }] = content.variants;
    const reused = this.reusable.get(arm);
    if (reused !== undefined && this.monotonicMs() < reused.until_ms) return Promise.resolve(reused.totals);
    const waiting =
      this.waiting.get(arm) ?? this.turns.take(content.account, () => this.calculate(arm, content));
    this.waiting.set(arm, waiting);
    return waiting;
  }

  private async calculate(arm: number, content: Pick<ExperimentContent, 'variants'>): Promise<Totals> {
    // Requests of the same turn can still share this calculation.
    await nextTurn();
    this.waiting.delete(arm);
    const totals = await totalsOf(this.state, content);
    const { experiments } = this.state;
    for (const former of this.reusable.keys()) if (!experiments.isOpen(former)) this.reusable.delete(former);
    const viewers = totals.reduce((sum, variant) => sum + variant.totals.viewers, 0);
    if (viewers >= REUSED_VIEWERS_MIN && experiments.isOpen(arm))
      this.reusable.set(arm, { totals, until_ms: this.monotonicMs() + REUSED_MS });
    return totals;
  }
}
