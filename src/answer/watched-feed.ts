import type { Bound, CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import type { PageItem } from '../page/page-item.ts';
import { buildPage, type PageOptions } from '../page/pipeline.ts';
import type { Request } from '../page/request.ts';
import type { Trace } from '../page/trace.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { TracedCandidates, TracedStep } from './explain-parts.ts';

/** The counts and time of one part of a feed. */
class Tally {
  readonly items = new Set<Ordinal>();
  in = 0;
  out = 0;
  milliseconds = 0;

  constructor(
    readonly stage: TracedStep['stage'],
    readonly plugin: string,
  ) {}

  /** Counts a test of an item. Testing the same item again only adds time. */
  note(item: Ordinal, passed: boolean, milliseconds: number): void {
    this.milliseconds += milliseconds;
    if (this.items.has(item)) return;
    this.items.add(item);
    this.in++;
    if (passed) this.out++;
  }

  add(given: number, kept: number, milliseconds: number): void {
    this.in += given;
    this.out += kept;
    this.milliseconds += milliseconds;
  }
}

/**
 * A feed whose steps are counted and measured while its page is built. It returns the same page.
 *
 * Building is several times slower, so this is for explained answers only.
 */
export class WatchedFeed {
  /** The feed to build: the original with wrapped filters, rules and scoring function. */
  readonly feed: CompiledFeed;
  /** The built list. */
  list: readonly PageItem[] = [];
  /** The start of the last part of the list. Each part is in the order of scores. */
  last_part = 0;
  private readonly origins = new Map<Ordinal, string[]>();
  private readonly offers = new Map<string, Tally>();
  private readonly filters: Tally[];
  private readonly scoring: Tally;
  private readonly rules: Tally[];
  private readonly diversity = new Tally('mixing', 'diversity');
  private building = false;
  private limit = 0;
  private proposed = 0;
  /** The start of the current measurement. */
  private since_ms = 0;

  constructor(
    readonly original: CompiledFeed,
    readonly source_feed: string,
    private readonly monotonicMs: () => number,
  ) {
    this.filters = original.filters.map(({ id }) => new Tally('candidates', id));
    this.scoring = new Tally('ranking', original.scoring.id);
    this.rules = original.rules.map(({ id }) => new Tally('visibility', id));
    this.feed = {
      ...original,
      filters: original.filters.map((filter, index) => this.watched(filter, this.filters[index])),
      rules: original.rules.map((rule, index) => this.watched(rule, this.rules[index])),
      // Without an upper bound every candidate is scored and counted.
      scoring: {
        ...original.scoring,
        ceiling: undefined,
        bind: (request) => this.watchedScore(request),
      },
    };
  }

  /** Builds the page or a part of a list, and forwards to `trace`. Later calls of the feed are not counted. */
  build(request: Request, trace: Trace, options: PageOptions): PageItem[] {
    this.building = true;
    try {
      const part = buildPage(this.feed, request, this.observing(trace), options);
      this.last_part = options.list?.length ?? 0;
      this.list = [...(options.list ?? []), ...part];
      return part;
    } finally {
      this.building = false;
    }
  }

  /** The sources that proposed an item, in their order. Empty if it was never a candidate. */
  sourcesOf(item: Ordinal): string[] {
    return this.origins.get(item) ?? [];
  }

  /** The number of candidates: items that sources proposed, scored items, and the limit. */
  get candidates(): TracedCandidates {
    return { proposed: this.proposed, scored: this.scoring.in, limit: this.limit };
  }

  /** In the order of the stages, and of the calls within a stage. */
  steps(): TracedStep[] {
    const diversity = this.original.diversity === undefined ? [] : [this.diversity];
    const tallies = [...this.offers.values(), ...this.filters, this.scoring, ...this.rules, ...diversity];
    return tallies.map(({ stage, plugin, in: given, out, milliseconds }) => ({
      source_feed: this.source_feed,
      stage,
      plugin,
      in: given,
      out,
      microseconds: microseconds(milliseconds),
    }));
  }

  private observing(trace: Trace): Trace {
    const before = { in: this.diversity.in, out: this.diversity.out };
    return {
      enter: (stage) => {
        trace.enter(stage);
        this.since_ms = this.monotonicMs();
      },
      proposed: (source_id, items) => trace.proposed(source_id, items),
      limited: (candidates) => {
        this.limit = candidates;
      },
      offered: (origin, items, kept) => this.offered(origin, items, kept),
      diversified: (given, kept) => {
        // It runs again with more items if the page was short, and the last run counts.
        this.diversity.in = before.in + given;
        this.diversity.out = before.out + kept;
        this.diversity.milliseconds += this.lap();
      },
    };
  }

  private offered(origin: string, items: readonly Ordinal[], kept: number): void {
    // A feed without sources consists of its ranking only.
    const name = origin === 'tail' && this.original.sources.length === 0 ? this.original.tail : origin;
    let tally = this.offers.get(name);
    if (tally === undefined) {
      tally = new Tally('candidates', name);
      this.offers.set(name, tally);
    }
    tally.add(items.length, kept, this.lap());
    if (this.original.sources.some(({ id }) => id === origin)) this.proposed += kept;
    for (const item of items) {
      const origins = this.origins.get(item);
      if (origins === undefined) this.origins.set(item, [name]);
      else if (!origins.includes(name)) origins.push(name);
    }
    this.since_ms = this.monotonicMs();
  }

  /** Milliseconds since the last call or the start of the stage. */
  private lap(): number {
    const now_ms = this.monotonicMs();
    const spent_ms = now_ms - this.since_ms;
    this.since_ms = now_ms;
    return spent_ms;
  }

  private watched<B extends Bound<Test>>(bound: B, tally: Tally): B {
    const bind: B['bind'] = (request) => {
      const test = bound.bind(request);
      return (item) => {
        const start_ms = this.monotonicMs();
        const passed = test(item);
        if (this.building) tally.note(item, passed, this.monotonicMs() - start_ms);
        return passed;
      };
    };
    return { ...bound, bind };
  }

  private watchedScore(request: Parameters<CompiledFeed['scoring']['bind']>[0]): (item: Ordinal) => number {
    const score = this.original.scoring.bind(request);
    return (item) => {
      const start_ms = this.monotonicMs();
      const value = score(item);
      if (this.building) this.scoring.note(item, true, this.monotonicMs() - start_ms);
      return value;
    };
  }
}

/** Converts milliseconds to microseconds, rounded to a tenth. */
export function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 10_000) / 10;
}
