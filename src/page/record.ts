import type { Bound, CompiledFeed, ScoringRequest, Test } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Adjusted } from './decay.ts';
import type { PageItem } from './page-item.ts';

/** The stages of a feed request whose time is measured. */
export type Stage = 'compile' | 'candidates' | 'ranking' | 'visibility' | 'mixing' | 'answer';

/** Receives the progress of a request: a few calls per request, never one per item. */
export interface Trace {
  /** From now on time counts for this stage. */
  enter(stage: Stage): void;
  /** A candidate source has been read completely. The time since the last call counts for it. */
  proposed(source_id: string, items: number): void;
  /** The record of the list that is being built. Only for explained pages. */
  readonly record?: ListRecord;
}

export const NO_TRACE: Trace = { enter: () => {}, proposed: () => {} };

/** A step of building a list: how many items it received and kept, and how long it took. */
export class Step {
  in = 0;
  out = 0;
  milliseconds = 0;
  private readonly items = new Set<Ordinal>();

  constructor(
    readonly stage: Exclude<Stage, 'compile' | 'answer'>,
    readonly plugin: string,
  ) {}

  /** Counts a test of an item. Testing the same item again only adds time. */
  note(item: Ordinal, passed: boolean, milliseconds: number): void {
    this.milliseconds += milliseconds;
    if (this.items.has(item)) return;
    this.items.add(item);
    this.add(1, passed ? 1 : 0, 0);
  }

  add(given: number, kept: number, milliseconds: number): void {
    this.in += given;
    this.out += kept;
    this.milliseconds += milliseconds;
  }
}

type ScoringContext = ScoringRequest & Adjusted;

/** What happened while the list of one feed was built. Building it is several times slower. */
export class ListRecord implements Trace {
  readonly record = this;
  list: readonly PageItem[] = [];
  /** The start of the last part of the list. Each part is in the order of scores. */
  last_part = 0;
  /** The request whose signals made the scores. Some signals are shares of what the feed may show. */
  scored_for: ScoringContext | undefined;
  /** Number of candidates that the page intended to score, and that sources proposed. */
  limit = 0;
  proposed_count = 0;
  private readonly origins = new Map<Ordinal, string[]>();
  private readonly offers = new Map<string, Step>();
  private readonly tests: Map<Bound<Test>, Step>;
  private readonly scoring: Step;
  private readonly diversity = new Step('mixing', 'diversity');
  /** The counts of diversity before the current part of the list. */
  private diversity_before = { in: 0, out: 0 };
  private is_building = false;
  private since_ms = 0;

  constructor(
    readonly feed: CompiledFeed,
    readonly source_feed: string,
    private readonly trace: Trace,
    private readonly monotonicMs: () => number,
  ) {
    this.scoring = new Step('ranking', feed.scoring.id);
    this.tests = new Map<Bound<Test>, Step>();
    for (const filter of feed.filters) this.tests.set(filter, new Step('candidates', filter.id));
    for (const rule of feed.rules) this.tests.set(rule, new Step('visibility', rule.id));
  }

  /** Begins a part of the list. Only calls until its end are counted. */
  begin(scored_for: ScoringContext): void {
    this.scored_for = scored_for;
    this.diversity_before = { in: this.diversity.in, out: this.diversity.out };
    this.is_building = true;
  }

  /** Ends a part of the list, after the items before it. */
  end(before: readonly PageItem[], part: readonly PageItem[]): void {
    this.is_building = false;
    this.last_part = before.length;
    this.list = [...before, ...part];
  }

  /** The sources that proposed an item, in their order. Empty if it was never a candidate. */
  sourcesOf(item: Ordinal): string[] {
    return this.origins.get(item) ?? [];
  }

  get scored_count(): number {
    return this.scoring.in;
  }

  /** In the order of the stages, and of the calls within a stage. */
  steps(): Step[] {
    const of = (stage: Stage) => [...this.tests.values()].filter((step) => step.stage === stage);
    const diversity = this.feed.diversity === undefined ? [] : [this.diversity];
    return [...this.offers.values(), ...of('candidates'), this.scoring, ...of('visibility'), ...diversity];
  }

  enter(stage: Stage): void {
    this.trace.enter(stage);
    this.since_ms = this.monotonicMs();
  }

  proposed(source_id: string, items: number): void {
    this.trace.proposed(source_id, items);
  }

  limited(candidates: number): void {
    this.limit = candidates;
  }

  /**
   * Receives a batch of candidates, and how many of them are new and pass the filters.
   * @param origin the id of a source; `postings` or the id of a rule if a feed starts from all visible items; `tail`
   * for other items, usually in the order of the feed's global ranking; or `exploration`
   */
  offered(origin: string, items: readonly Ordinal[], kept: number): void {
    // A feed without sources consists of its ranking only.
    const name = origin === 'tail' && this.feed.sources.length === 0 ? this.feed.tail : origin;
    const step = this.offers.get(name) ?? new Step('candidates', name);
    this.offers.set(name, step);
    step.add(items.length, kept, this.lap());
    if (this.feed.sources.some(({ id }) => id === origin)) this.proposed_count += kept;
    for (const item of items) {
      const origins = this.origins.get(item);
      if (origins === undefined) this.origins.set(item, [name]);
      else if (!origins.includes(name)) origins.push(name);
    }
    this.since_ms = this.monotonicMs();
  }

  tested(bound: Bound<Test>, test: Test): Test {
    const step = this.tests.get(bound);
    return (item) => {
      const start_ms = this.monotonicMs();
      const passed = test(item);
      if (this.is_building) step?.note(item, passed, this.monotonicMs() - start_ms);
      return passed;
    };
  }

  scored(score: (item: Ordinal) => number): (item: Ordinal) => number {
    return (item) => {
      const start_ms = this.monotonicMs();
      const value = score(item);
      if (this.is_building) this.scoring.note(item, true, this.monotonicMs() - start_ms);
      return value;
    };
  }

  /** Receives the number of items before and after diversity. It runs again with more items if the page was short, and the last run counts. */
  diversified(given: number, kept: number): void {
    const { diversity, diversity_before: before } = this;
    diversity.in = before.in;
    diversity.out = before.out;
    diversity.add(given, kept, this.lap());
  }

  /** Milliseconds since the last call or the start of the stage. */
  private lap(): number {
    const now_ms = this.monotonicMs();
    const spent_ms = now_ms - this.since_ms;
    this.since_ms = now_ms;
    return spent_ms;
  }
}

/** What happened while a page was built. Kept only for explained pages. */
export class PageRecord {
  /** In the order in which they were built. The first is the list of the feed itself. */
  readonly lists: ListRecord[] = [];
  /** The mixing of this page, and the main list before it, including fallbacks. Undefined if nothing was mixed. */
  mixing: { main: readonly PageItem[]; step: Step } | undefined;
  /** For plain pages with a promotion: the items of earlier pages. */
  shown_before: ReadonlySet<Ordinal> = new Set();

  constructor(
    private readonly trace: Trace,
    readonly monotonicMs: () => number,
  ) {}

  /** The list of the feed itself, as opposed to feeds that it takes items from. */
  get main(): ListRecord {
    return this.lists[0];
  }

  ofList(feed: CompiledFeed, source_feed: string): ListRecord {
    const list = new ListRecord(feed, source_feed, this.trace, this.monotonicMs);
    this.lists.push(list);
    return list;
  }

  /** Records the mixing of a page. Each page before this one is mixed as well, and the last one counts. */
  mixed(
    plugin: string,
    main: readonly PageItem[],
    promoted: readonly PageItem[],
    out: number,
    start_ms: number,
  ): void {
    const step = new Step('mixing', plugin);
    step.add(
      new Set([...main, ...promoted].map(({ item }) => item)).size,
      out,
      this.monotonicMs() - start_ms,
    );
    this.mixing = { main, step };
  }
}
