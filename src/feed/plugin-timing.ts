import { LIMITS } from '../limits.ts';
import type { BoundFilter, BoundRule, BoundScoring, CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { MixInput, Ordinal, PluginLog, RequestContext } from '../plugin/index.ts';
import { isThirdParty, type Kind, type Registry } from '../registry/registry.ts';
import type { FeedPlan, PromotionPlan, SubFeed } from './plan.ts';

/** One page in so many is timed. A prime, so that it keeps no step with callers who alternate. */
export const SAMPLE_EVERY = 61;

/** Totals of one third party's extension over the pages that were timed. */
export interface SampledTotals {
  /** Its id. */
  plugin: string;
  kind: Kind;
  pages: number;
  /** What it called included, signals too. */
  milliseconds: number;
  /** Pages on which it took longer than `LIMITS.plugin_budget_ms`. */
  over_budget: number;
}

/** What one extension took on the page that is timed. */
type Spent = Pick<SampledTotals, 'kind' | 'plugin' | 'milliseconds'>;

/**
 * Times third parties' extensions, some of which run once per item: on a sample of the pages only, and on
 * the page after one that was slow. Pages without third parties' extensions cost nothing. Each page is built
 * synchronously, so one instance serves all requests.
 */
export class PluginTiming {
  /** By kind and id: an id may stand in several kinds. */
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

  /** A page begins: its plan, with third parties' extensions timed if this page is one of the sample. */
  begin(plan: FeedPlan): FeedPlan {
    this.sampling = this.registry.plugins().size > 0 && --this.pages_until_sample <= 0;
    this.registry.signal_watch = undefined;
    if (!this.sampling) return plan;
    this.pages_until_sample = SAMPLE_EVERY;
    this.spent.clear();
    this.registry.signal_watch = (id, run) => this.time('signals', id, run);
    const { fallbacks, promotion } = plan;
    return {
      ...plan,
      compiled: this.feed(plan.compiled),
      fallbacks: fallbacks.map((feed) => this.subFeed(feed)),
      promotion: promotion && this.promotion(promotion),
    };
  }

  /** The page is built and took so long in all. */
  end(page_ms: number): void {
    if (!this.sampling) {
      // Whoever it was, the next page will tell.
      if (page_ms > LIMITS.plugin_budget_ms) this.pages_until_sample = 0;
      return;
    }
    this.sampling = false;
    this.registry.signal_watch = undefined;
    for (const [key, spent] of this.spent) this.add(key, spent);
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

  private feed(feed: CompiledFeed): CompiledFeed {
    return {
      ...feed,
      filters: feed.filters.map((filter) => this.filter(filter)),
      rules: feed.rules.map((rule) => this.rule(rule)),
      scoring: this.scoring(feed.scoring),
      sources: feed.sources.map((source) => {
        if (!isThirdParty(source.id)) return source;
        const bind = (request: RequestContext) =>
          this.time('candidate_sources', source.id, () => source.bind(request));
        return { ...source, bind };
      }),
    };
  }

  private subFeed(feed: SubFeed): SubFeed {
    return { ...feed, compiled: () => this.feed(feed.compiled()) };
  }

  private promotion(promotion: PromotionPlan): PromotionPlan {
    const { id, feed } = promotion;
    const timed = { ...promotion, feed: feed && this.subFeed(feed) };
    if (!isThirdParty(id)) return timed;
    const mix = (input: MixInput) => this.time('promotion_strategies', id, () => promotion.mix(input));
    return { ...timed, mix };
  }

  private filter(filter: BoundFilter): BoundFilter {
    if (!isThirdParty(filter.id)) return filter;
    const { id, postings } = filter;
    return {
      ...filter,
      bind: this.bind('filters', id, filter.bind),
      postings: postings && ((request) => this.time('filters', id, () => postings(request))),
    };
  }

  private rule(rule: BoundRule): BoundRule {
    if (!isThirdParty(rule.id)) return rule;
    const { id, allows } = rule;
    return {
      ...rule,
      bind: this.bind('visibility_rules', id, rule.bind),
      allows: allows && ((request) => this.time('visibility_rules', id, () => allows(request))),
    };
  }

  private scoring(scoring: BoundScoring): BoundScoring {
    if (!isThirdParty(scoring.id)) return scoring;
    const { id, bind, ceiling } = scoring;
    return {
      ...scoring,
      bind: this.bind('scoring_functions', id, bind),
      ceiling: ceiling && this.bind('scoring_functions', id, ceiling),
    };
  }

  private bind<R>(
    kind: Kind,
    id: string,
    bind: (request: RequestContext) => (item: Ordinal) => R,
  ): (request: RequestContext) => (item: Ordinal) => R {
    return (request) => {
      const run = this.time(kind, id, () => bind(request));
      return (item) => this.time(kind, id, () => run(item));
    };
  }
}
