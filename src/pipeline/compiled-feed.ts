import type { FeedType, NamedValue, Ordinal, Postings, RequestContext } from '../plugin/index.ts';
import type { Diversity } from './diversity.ts';

/** Something bound to a plugin: `id` names it in errors, logs and traces. */
export interface Bound<Fn> {
  id: string;
  bind(request: RequestContext): Fn;
}

export type Test = (item: Ordinal) => boolean;

export interface BoundFilter extends Bound<Test> {
  /** The values of one column that hold every item the filter keeps, when it knows them. */
  postings?(request: RequestContext): Postings;
  /** What its verdicts follow from, as `Filter.depends_on` has it; undefined: it is asked at each request. */
  depends_on?: 'content' | 'item';
  /** The values that its options name, as far as it says and they are looked up. */
  named_values: readonly NamedValue[];
}

export interface BoundRule extends Bound<Test> {
  /** Every item that the rule might let through, when it can list them. */
  allows?(request: RequestContext): Iterable<Ordinal> | undefined;
}

export interface BoundSource extends Bound<readonly Ordinal[]> {
  /** It proposes for a signal that depends on the viewer: where it finds nothing, nothing is known of them. */
  of_viewer: boolean;
}

export interface BoundScoring extends Bound<(item: Ordinal) => number> {
  /** What the score of an item never exceeds, when that is cheaper to say. */
  ceiling?(request: RequestContext): (item: Ordinal) => number;
  /** What the score of an item is made of, when the scoring function says. */
  parts?(request: RequestContext): (item: Ordinal) => Record<string, number>;
  /** The signals that it asks for, when it says. */
  signals?: readonly string[];
}

/** A feed with every option checked and every plugin found: what the pipeline runs. */
export interface CompiledFeed {
  feed_type: FeedType;
  filters: BoundFilter[];
  scoring: BoundScoring;
  rules: BoundRule[];
  sources: BoundSource[];
  /** The item-only signal in whose order the rest of the eligible items follows. */
  tail: string;
  /** The item-only signal that fills a page up when sources of the viewer propose less; undefined: none does. */
  filled_by?: string;
  /** Time decay: the age at which a score counts half; undefined: none. */
  half_life_hours?: number;
  diversity?: Diversity;
}
