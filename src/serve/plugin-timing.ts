import { LIMITS } from '../limits.ts';
import type { PluginLog } from '../plugin/index.ts';
import type { Kind } from '../registry/kinds.ts';
import type { Registry } from '../registry/registry.ts';

/** One of this many pages is measured. It is prime, so that it does not coincide with patterns of callers. */
export const SAMPLE_EVERY = 61;

/** Totals of one plugin's extension over the measured pages. */
export interface SampledTotals {
  plugin: string;
  kind: Kind;
  pages: number;
  /** Includes calls of other extensions, such as signals. */
  milliseconds: number;
  /** Pages on which it took longer than `LIMITS.plugin_budget_ms`. */
  over_budget: number;
}

type Spent = Pick<SampledTotals, 'kind' | 'plugin' | 'milliseconds'>;

/**
 * Measures the time of plugins' extensions on a sample of pages, and on the page after a slow one.
 *
 * Some extensions run once per item, so measuring every page would be too slow. Pages are built synchronously, so one
 * instance serves all requests.
 */
export class PluginTiming {
  /** By kind and id, since several kinds may have the same id. */
  readonly totals = new Map<string, SampledTotals>();
  private readonly spent = new Map<string, Spent>();
  private readonly told_ms = new Map<string, number>();
  private pages_until_sample = SAMPLE_EVERY;
  private sampling = false;

  constructor(
    private readonly registry: Registry,
    private readonly monotonicMs: () => number,
    private readonly log: PluginLog,
  ) {}

  /** Begins a page. Extensions are measured if the page is in the sample. */
  begin(): void {
    this.leave();
    this.sampling = this.registry.plugins().size > 0 && --this.pages_until_sample <= 0;
    if (!this.sampling) return;
    this.pages_until_sample = SAMPLE_EVERY;
    this.spent.clear();
    this.registry.watch = (kind, id, run) => this.time(kind, id, run);
  }

  end(page_ms: number): void {
    if (!this.sampling) {
      // The cause is unknown, so the next page is measured.
      if (page_ms > LIMITS.plugin_budget_ms) this.pages_until_sample = 0;
      return;
    }
    this.leave();
    for (const [key, spent] of this.spent) this.add(key, spent);
  }

  leave(): void {
    this.sampling = false;
    this.registry.watch = undefined;
  }

  private add(key: string, { kind, plugin, milliseconds }: Spent): void {
    const totals = this.totals.get(key) ?? { plugin, kind, pages: 0, milliseconds: 0, over_budget: 0 };
    this.totals.set(key, totals);
    totals.pages++;
    totals.milliseconds += milliseconds;
    if (milliseconds <= LIMITS.plugin_budget_ms) return;
    totals.over_budget++;
    const now_ms = this.monotonicMs();
    const told_ms = this.told_ms.get(key) ?? Number.NEGATIVE_INFINITY;
    if (now_ms - told_ms < LIMITS.plugin_warning_seconds * 1000) return;
    this.told_ms.set(key, now_ms);
    this.log.warn(
      { plugin, kind, milliseconds: Math.round(milliseconds), budget_ms: LIMITS.plugin_budget_ms },
      `plugin ${plugin} took longer than its budget on one page; meanwhile no other request is answered`,
    );
  }

  private time<T>(kind: Kind, id: string, run: () => T): T {
    // Filters of a pool may be bound on a measured page and called afterwards.
    if (!this.sampling) return run();
    const start_ms = this.monotonicMs();
    try {
      return run();
    } finally {
      const milliseconds = this.monotonicMs() - start_ms;
      const key = `${kind} ${id}`;
      const spent = this.spent.get(key);
      if (spent === undefined) this.spent.set(key, { kind, plugin: id, milliseconds });
      else spent.milliseconds += milliseconds;
    }
  }
}
