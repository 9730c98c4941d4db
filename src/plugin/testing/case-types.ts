import type { Plugin } from '../kinds.ts';
import type { Metadata } from '../metadata.ts';
import type { TestWorld } from './world.ts';

/** One case of an author's: a request in a small world, and the options as a feed would give them. */
export interface Case extends TestWorld {
  name: string;
  options?: unknown;
}

export interface ScoringCase extends Case {
  /** Item id → score, to nine digits. */
  scores?: Record<string, number>;
  /** Item ids, best first: each scores higher than the next. */
  order?: string[];
}

export interface FilterCase extends Case {
  /** The ids of the items that it keeps, in the order of `items`. */
  keeps: string[];
}

export interface VisibilityCase extends Case {
  /** The ids of the items that the viewer may see, in the order of `items`. */
  shows: string[];
}

export interface SignalCase extends Case {
  /** Item id → value, to nine digits. */
  values: Record<string, number>;
}

export interface SourceCase extends Case {
  /** The ids of the items that it lists, in its order. */
  proposes: string[];
}

export interface PromotionCase {
  name: string;
  options?: unknown;
  /** Item ids, best first. */
  main: string[];
  /** Item ids, or with the slot that they are pinned to. */
  promoted: (string | { item_id: string; rank: number })[];
  page: number;
  /** Default 2. */
  overfetch_factor?: number;
  /** Default 1. */
  seed?: number;
  /** Item ids of the page; promoted ones with a `*` before them. */
  slots: string[];
}

export interface MetadataCase {
  name: string;
  options?: unknown;
  item_ids: string[];
  metadata: Metadata[];
}

export interface CaseOf {
  scoring_functions: ScoringCase;
  filters: FilterCase;
  visibility_rules: VisibilityCase;
  signals: SignalCase;
  candidate_sources: SourceCase;
  promotion_strategies: PromotionCase;
  metadata_providers: MetadataCase;
}

/** What an author says of one extension. */
export interface Tests<C> {
  cases?: readonly C[];
  /** Options that must be refused. */
  refuses?: readonly unknown[];
}

/** Registers the tests of one extension of a plugin. @throws Error when the plugin has no such extension */
export type Test<C> = (plugin: Plugin, id: string, tests?: Tests<C>) => void;
