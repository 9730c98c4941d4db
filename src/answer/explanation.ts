import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { FeedPlan, PromotionPlan, SubFeed } from '../feeds/plan.ts';
import { adjustments } from '../page/adjustment.ts';
import type { SourcedItem } from '../page/mixing.ts';
import type { PageItem } from '../page/page-item.ts';
import type { PageOptions } from '../page/pipeline.ts';
import type { Request } from '../page/request.ts';
import type { Trace } from '../page/trace.ts';
import type { MixInput, Ordinal } from '../plugin/index.ts';
import type { ItemExplanation, TracedStep } from './explain-parts.ts';
import { microseconds, WatchedFeed } from './watched-feed.ts';

/** The source of hand-picked items. */
const HAND_PICKED = 'promoted_items';

/** The input and the output of a promotion strategy. */
interface Mixing {
  main: readonly Ordinal[];
  step: TracedStep;
}

/** Observes how one page is built, and explains it. */
export class Explanation {
  private readonly by_feed = new Map<CompiledFeed, WatchedFeed>();
  private main: WatchedFeed | undefined;
  /** The request of each feed. Some signals are shares of what that feed may show. */
  private readonly requests = new Map<WatchedFeed, Request>();
  /** The mixing of this page. */
  private mixing: Mixing | undefined;
  /** For plain pages with a promotion: the items of earlier pages. */
  private shown_before: ReadonlySet<Ordinal> = new Set();

  constructor(private readonly monotonicMs: () => number) {}

  /** Wraps every feed of a plan. The page does not change. */
  watch(plan: FeedPlan): FeedPlan {
    this.main = this.watched(plan.compiled, plan.source_feed);
    const { fallbacks, promotion } = plan;
    return {
      ...plan,
      compiled: this.main.feed,
      fallbacks: fallbacks.map((feed) => this.watchedSubFeed(feed)),
      promotion: promotion && this.watchedPromotion(promotion),
    };
  }

  /** Builds a feed of the wrapped plan. */
  build(feed: CompiledFeed, request: Request, trace: Trace, options: PageOptions): PageItem[] {
    const watched = this.by_feed.get(feed);
    if (watched === undefined) throw new Error('a feed of another plan');
    this.requests.set(watched, options.scored_for ?? request);
    return watched.build(request, trace, options);
  }

  /** The feed itself, as opposed to feeds that it takes items from. */
  get main_feed(): WatchedFeed {
    if (this.main === undefined) throw new Error('nothing was watched');
    return this.main;
  }

  /** The main list that was mixed with promoted items, including fallbacks. Undefined if nothing was mixed. */
  get mixed(): readonly Ordinal[] | undefined {
    return this.mixing?.main;
  }

  /** Receives the items of earlier plain pages with a promotion. */
  noteShownBefore(items: ReadonlySet<Ordinal>): void {
    this.shown_before = items;
  }

  /** Whether an item was on an earlier plain page. */
  mixedBefore(item: Ordinal): boolean {
    return this.shown_before.has(item);
  }

  /** Explains items of the page's feeds, in order. Each item is scored twice more. */
  items(page: readonly SourcedItem[], request: Request): ItemExplanation[] {
    const scorers = new Map<WatchedFeed, Scorer>();
    const scored = page.map((item) => {
      const given_by = this.giverOf(item);
      const feed = given_by ?? this.main_feed;
      const scorer = scorers.get(feed) ?? new Scorer(feed.original, this.requests.get(feed) ?? request);
      scorers.set(feed, scorer);
      const score_parts = withExploration(item, scorer.parts(item.item));
      const factors = scorer.factors(item.item, given_by === undefined);
      return { item: item.item, scorer, score_parts, factors, sources: given_by?.sourcesOf(item.item) };
    });
    return scored.map(({ item, scorer, score_parts, factors, sources }) => ({
      signals: scorer.signals(item),
      score_parts,
      factors,
      sources: sources ?? [HAND_PICKED],
    }));
  }

  /** All steps, feed by feed in the order in which they were built. */
  steps(): TracedStep[] {
    const steps = [...this.by_feed.values()].flatMap((watched) => watched.steps());
    return this.mixing === undefined ? steps : [...steps, this.mixing.step];
  }

  /** The feed that an item comes from. Undefined for hand-picked items. */
  private giverOf({ source_feed }: SourcedItem): WatchedFeed | undefined {
    return [...this.by_feed.values()].find((watched) => watched.source_feed === source_feed);
  }

  private watched(feed: CompiledFeed, source_feed: string): WatchedFeed {
    const watched = new WatchedFeed(feed, source_feed, this.monotonicMs);
    this.by_feed.set(watched.feed, watched);
    return watched;
  }

  private watchedSubFeed(feed: SubFeed): SubFeed {
    return { ...feed, compiled: () => this.watched(feed.compiled(), feed.source_feed).feed };
  }

  private watchedPromotion(promotion: PromotionPlan): PromotionPlan {
    const mix = (input: MixInput) => {
      const start_ms = this.monotonicMs();
      const slots = promotion.mix(input);
      const step: TracedStep = {
        source_feed: this.main_feed.source_feed,
        stage: 'mixing',
        plugin: promotion.id,
        in: new Set([...input.main, ...input.promoted.map(({ item }) => item)]).size,
        out: slots.length,
        microseconds: microseconds(this.monotonicMs() - start_ms),
      };
      this.mixing = { main: input.main, step };
      return slots;
    };
    return { ...promotion, feed: promotion.feed && this.watchedSubFeed(promotion.feed), mix };
  }
}

/** The parts of an explored item's score, which add up to its changed score. */
function withExploration(item: SourcedItem, parts: Record<string, number>): Record<string, number> {
  if (!item.explored) return parts;
  const said = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { ...parts, exploration: item.score - said };
}

/** A scoring function that records the signals it uses. */
class Scorer {
  private readonly asked = new Set<string>();
  private readonly score: (item: Ordinal) => number;
  private readonly said: ((item: Ordinal) => Record<string, number>) | undefined;

  private readonly adjustments: ReturnType<typeof adjustments>;

  constructor(
    feed: CompiledFeed,
    private readonly request: Request,
  ) {
    const { scoring } = feed;
    this.adjustments = adjustments(feed, request);
    const signal = (name: string) => {
      this.asked.add(name);
      return request.signal(name);
    };
    this.score = scoring.bind({ ...request, signal });
    this.said = scoring.parts?.(request);
  }

  /** The parts of an item's score. Also scores the item, since a function may request a signal late. */
  parts(item: Ordinal): Record<string, number> {
    this.score(item);
    return this.said?.(item) ?? {};
  }

  /** The factors of an item's score. Hand-picked items only have that of their age. */
  factors(item: Ordinal, is_hand_picked: boolean): Record<string, number> {
    const factors = Object.entries(this.adjustments)
      .filter(([name]) => !is_hand_picked || name === 'time_decay')
      .map(([name, factor]) => [name, factor(item)]);
    return Object.fromEntries(factors);
  }

  /** All signals that were used so far, in order of first use. */
  signals(item: Ordinal): Record<string, number> {
    return Object.fromEntries([...this.asked].map((name) => [name, this.request.signal(name)(item)]));
  }
}
