import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EndedPeriod, ExperimentContent } from '../model/experiment-content.ts';
import { FairTurns } from '../turns.ts';
import { type CountedData, totalsOf } from './totals.ts';

type Totals = EndedPeriod['variants'];

/** From this number of pages on, totals are reused for a minute. */
const REUSED_PAGES_MIN = 10_000;
const REUSED_MS = 60_000;

type Period = Pick<ExperimentContent, 'account' | 'variants' | 'attribution_hours'>;

/**
 * Totals of running periods, for requests.
 *
 * Millions of pages take some time. So at most one calculation runs at a time, requests that wait for the same period
 * share one, and totals of many pages are reused for a minute.
 */
export class CurrentTotals {
  private readonly turns = new FairTurns("calculations of this account's results");
  /** Calculations that have not begun, by the first arm of the period. */
  private readonly waiting = new Map<number, Promise<Totals>>();
  private readonly reusable = new Map<number, { totals: Totals; until_ms: number }>();

  constructor(
    private readonly data: CountedData,
    private readonly monotonicMs: () => number,
  ) {}

  /** Includes everything that was counted before the call, except for reused totals. */
  of(content: Period): Promise<Totals> {
    const [{ arm }] = content.variants;
    const reused = this.reusable.get(arm);
    if (reused !== undefined && this.monotonicMs() < reused.until_ms) return Promise.resolve(reused.totals);
    const waiting =
      this.waiting.get(arm) ?? this.turns.take(content.account, () => this.calculate(arm, content));
    this.waiting.set(arm, waiting);
    return waiting;
  }

  private async calculate(arm: number, content: Period): Promise<Totals> {
    // Requests of the same turn can still share this calculation.
    await nextTurn();
    this.waiting.delete(arm);
    const totals = await totalsOf(this.data, content);
    const { experiments } = this.data.state;
    for (const former of this.reusable.keys()) if (!experiments.isOpen(former)) this.reusable.delete(former);
    const pages = totals.reduce((sum, variant) => sum + variant.totals.pages, 0);
    if (pages >= REUSED_PAGES_MIN && experiments.isOpen(arm))
      this.reusable.set(arm, { totals, until_ms: this.monotonicMs() + REUSED_MS });
    return totals;
  }
}
