import type { ScoringRequest } from '../feeds/compiled-feed.ts';
import { type Adjusted, adjustments } from '../page/decay.ts';
import { logitOf } from '../page/learnt.ts';
import type { PageContext } from '../page/page-context.ts';
import type { SourcedItem } from '../page/page-item.ts';
import type { ListRecord, PageRecord, Step } from '../page/record.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { ItemExplanation } from './item-fields.ts';
import type { TracedStep } from './page-answer.ts';

/** The source of hand-picked items. */
const HAND_PICKED = 'promoted_items';

/** Explains items of a page, in order. Each item is scored twice more. */
export function explainItems(
  record: PageRecord,
  page: readonly SourcedItem[],
  context: PageContext,
): ItemExplanation[] {
  const scorers = new Map<ListRecord, Scorer>();
  const scored = page.map((item) => {
    // Hand-picked items are in no list.
    const given_by = record.lists.find(({ source_feed }) => source_feed === item.source_feed);
    const list = given_by ?? record.main;
    const scorer = scorers.get(list) ?? new Scorer(list, list.scored_for ?? context);
    scorers.set(list, scorer);
    const score_parts = withExploration(item, scorer);
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

/** All steps, list by list in the order in which they were built, then the mixing. */
export function tracedSteps({ lists, main, mixing }: PageRecord): TracedStep[] {
  const traced = (step: Step, source_feed: string): TracedStep => ({
    source_feed,
    stage: step.stage,
    plugin: step.plugin,
    in: step.in,
    out: step.out,
    microseconds: Math.round(step.milliseconds * 10_000) / 10,
  });
  const steps = lists.flatMap((list) => list.steps().map((step) => traced(step, list.source_feed)));
  return mixing === undefined ? steps : [...steps, traced(mixing.step, main.source_feed)];
}

/** The parts of an explored item's score, which add up to its changed score. */
function withExploration(item: SourcedItem, scorer: Scorer): Record<string, number> {
  const parts = scorer.parts(item.item);
  if (!item.explored) return parts;
  const said = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { ...parts, exploration: scorer.wholeOf(item.score) - said };
}

/** A scoring function that records the signals it uses. */
class Scorer {
  private readonly asked = new Set<string>();
  private readonly score: (item: Ordinal) => number;
  private readonly said: ((item: Ordinal) => Record<string, number>) | undefined;
  private readonly adjustments: ReturnType<typeof adjustments>;

  /** What the parts of a score add up to. */
  readonly wholeOf: (score: number) => number;

  constructor(
    { feed }: ListRecord,
    private readonly context: ScoringRequest & Adjusted,
  ) {
    this.wholeOf = feed.scoring.learning === undefined ? (score) => score : logitOf;
    this.adjustments = adjustments(feed, context);
    const signal = (name: string) => {
      this.asked.add(name);
      return context.signal(name);
    };
    this.score = feed.scoring.bind({ ...context, signal });
    this.said = feed.scoring.parts?.(context);
  }

  /** The parts of an item's score. Also scores the item, since a function may request a signal late. */
  parts(item: Ordinal): Record<string, number> {
    this.score(item);
    return this.said?.(item) ?? {};
  }

  factors(item: Ordinal, is_hand_picked: boolean): Record<string, number> {
    const factors = Object.entries(this.adjustments)
      .filter(([name]) => !is_hand_picked || name === 'time_decay')
      .map(([name, factor]) => [name, factor(item)]);
    return Object.fromEntries(factors);
  }

  /** All signals that were used so far, in order of first use. */
  signals(item: Ordinal): Record<string, number> {
    return Object.fromEntries([...this.asked].map((name) => [name, this.context.signal(name)(item)]));
  }
}
