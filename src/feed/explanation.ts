import type { ItemExplanation, TracedStep } from '../answer/explain-parts.ts';
import { notingSignals } from '../pipeline/asked-signals.ts';
import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { SourcedItem } from '../pipeline/mixing.ts';
import type { PageItem } from '../pipeline/page-item.ts';
import type { PageOptions } from '../pipeline/pipeline.ts';
import type { Request } from '../pipeline/request.ts';
import type { Trace } from '../pipeline/trace.ts';
import type { MixInput, Ordinal } from '../plugin/index.ts';
import type { FeedPlan, PromotionPlan, SubFeed } from './plan.ts';
import { microseconds, WatchedFeed } from './watched-feed.ts';

/** The source of hand-picked items. */
const HAND_PICKED = 'promoted_items';

/** What a promotion strategy was given, and what it made of it. */
interface Mixing {
  main: readonly Ordinal[];
  step: TracedStep;
}

/** Watches how one page is built, and explains it. */
export class Explanation {
  private readonly by_feed = new Map<CompiledFeed, WatchedFeed>();
  private main: WatchedFeed | undefined;
  /** What each feed was built for: some signals are shares of what that feed may show. */
  private readonly requests = new Map<WatchedFeed, Request>();
  /** Of this page. */
  private mixing: Mixing | undefined;
  /** Of plain pages with a promotion: what those before this one show. */
  private shown_before: ReadonlySet<Ordinal> = new Set();

  constructor(private readonly monotonicMs: () => number) {}

  /** The plan with every feed in it under watch; it makes the same page. */
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

  /** Builds a feed of the watched plan. */
  build(feed: CompiledFeed, request: Request, trace: Trace, options: PageOptions): PageItem[] {
    const watched = this.by_feed.get(feed);
    if (watched === undefined) throw new Error('a feed of another plan');
    this.requests.set(watched, options.scored_for ?? request);
    return watched.build(request, trace, options);
  }

  /** The feed itself, not one that it takes items from. */
  get main_feed(): WatchedFeed {
    if (this.main === undefined) throw new Error('nothing was watched');
    return this.main;
  }

  /** The main list as it was mixed with promoted items, fallbacks included; undefined: nothing was mixed. */
  get mixed(): readonly Ordinal[] | undefined {
    return this.mixing?.main;
  }

  /** What the plain pages before this one show, where they are mixed. */
  noteShownBefore(items: ReadonlySet<Ordinal>): void {
    this.shown_before = items;
  }

  /** Whether an item was mixed into one of the plain pages before this one. */
  mixedBefore(item: Ordinal): boolean {
    return this.shown_before.has(item);
  }

  /** Explains items that one of the feeds gave, in their order. Cost: each is scored twice more. */
  items(page: readonly SourcedItem[], request: Request): ItemExplanation[] {
    const scorers = new Map<WatchedFeed, Scorer>();
    const scored = page.map((item) => {
      const given_by = this.giverOf(item);
      const feed = given_by ?? this.main_feed;
      const scorer = scorers.get(feed) ?? new Scorer(feed.original, this.requests.get(feed) ?? request);
      scorers.set(feed, scorer);
      const score_parts = withExploration(item, scorer.parts(item.item));
      return { item: item.item, scorer, score_parts, sources: given_by?.sourcesOf(item.item) };
    });
    return scored.map(({ item, scorer, score_parts, sources }) => ({
      signals: scorer.signals(item),
      score_parts,
      sources: sources ?? [HAND_PICKED],
    }));
  }

  /** Everything that was done, feed by feed in the order in which they were built. */
  steps(): TracedStep[] {
    const steps = [...this.by_feed.values()].flatMap((watched) => watched.steps());
    return this.mixing === undefined ? steps : [...steps, this.mixing.step];
  }

  /** The feed that gave an item; undefined for hand-picked ones. */
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

/** The parts of the score that an explored item has, so that they sum to it. */
function withExploration(item: SourcedItem, parts: Record<string, number>): Record<string, number> {
  if (!item.explored) return parts;
  const said = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { ...parts, exploration: item.score - said };
}

/** A scoring function that notes which signals it asks for. */
class Scorer {
  private readonly asked = new Set<string>();
  private readonly score: (item: Ordinal) => number;
  private readonly said: ((item: Ordinal) => Record<string, number>) | undefined;

  constructor(
    { scoring }: CompiledFeed,
    private readonly request: Request,
  ) {
    this.score = scoring.bind(notingSignals(request, this.asked));
    this.said = scoring.parts?.(request);
  }

  /** What the score of an item is made of. Scores it, too: a function may ask for a signal late. */
  parts(item: Ordinal): Record<string, number> {
    this.score(item);
    return this.said?.(item) ?? {};
  }

  /** Every signal that it asked for so far, in that order. */
  signals(item: Ordinal): Record<string, number> {
    return Object.fromEntries([...this.asked].map((name) => [name, this.request.signal(name)(item)]));
  }
}
