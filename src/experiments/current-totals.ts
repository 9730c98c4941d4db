import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExperimentContent, PeriodTotals } from '../model/experiment-content.ts';
import { FairTurns } from '../turns.ts';
import { type CountedData, type CountedPeriod, totalsOf } from './totals.ts';

/** From this number of pages on, totals are reused for a minute. */
const REUSED_PAGES_MIN = 10_000;
const REUSED_MS = 60_000;

type Period = CountedPeriod & Pick<ExperimentContent, 'account'>;

/**
 * Totals of running periods, for requests.
 *
 * Millions of pages take some time. So at most one calculation runs at a time, requests that wait for the same period
 * share one, and totals of many pages are reused for a minute.
 */
export class CurrentTotals {
  private readonly turns = new FairTurns("calculations of this account's results");
  /** Calculations that have not begun, by the first arm of the period and the changes of its percents. */
  private readonly waiting = new Map<string, Promise<PeriodTotals>>();
  private readonly reusable = new Map<string, { arm: number; totals: PeriodTotals; until_ms: number }>();

  constructor(
    private readonly data: CountedData,
    private readonly monotonicMs: () => number,
  ) {}

  /** Includes everything that was counted before the call, except for reused totals. */
  of(content: Period): Promise<PeriodTotals> {
    const name = `${content.variants[0].arm} ${content.percent_changes}`;
    const reused = this.reusable.get(name);
    if (reused !== undefined && this.monotonicMs() < reused.until_ms) return Promise.resolve(reused.totals);
    const waiting =
      this.waiting.get(name) ?? this.turns.take(content.account, () => this.calculate(name, content));
    this.waiting.set(name, waiting);
    return waiting;
  }

  private async calculate(name: string, content: Period): Promise<PeriodTotals> {
    // Requests of the same turn can still share this calculation.
    await nextTurn();
    this.waiting.delete(name);
    const totals = await totalsOf(this.data, content);
    const { experiments } = this.data.state;
    for (const [former, { arm, until_ms }] of this.reusable)
      if (!experiments.isOpen(arm) || until_ms <= this.monotonicMs()) this.reusable.delete(former);
    const [{ arm }] = content.variants;
    const pages = totals.variants.reduce((sum, variant) => sum + variant.totals.pages, 0);
    if (pages >= REUSED_PAGES_MIN && experiments.isOpen(arm))
      this.reusable.set(name, { arm, totals, until_ms: this.monotonicMs() + REUSED_MS });
    return totals;
  }
}
