import type { ConnectorRecord } from '../connector.ts';
import type { Plugin } from '../kinds.ts';
import type { Metadata } from '../metadata.ts';
import type { TestWorld } from './world.ts';

/** A test case of a plugin author: a request in a small world, with options as a feed would give them. */
export interface Case extends TestWorld {
  name: string;
  options?: unknown;
}

export interface ScoringCase extends Case {
  /** Scores by item id, compared to nine significant digits. */
  scores?: Record<string, number>;
  /** Item ids, best first. Each must score higher than the next. */
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
  /** Values by item id, compared to nine significant digits. */
  values: Record<string, number>;
}

export interface SourceCase extends Case {
  /** The ids of the proposed items, in the order of the source. */
  proposes: string[];
}

export interface PromotionCase {
  name: string;
  options?: unknown;
  /** Item ids, best first. */
  main: string[];
  /** Item ids, with a rank for those that are pinned to a slot. */
  promoted: (string | { item_id: string; rank: number })[];
  page: number;
  /** Default 2. */
  overfetch_factor?: number;
  /** Default 1. */
  seed?: number;
  /** Item ids of the page. Promoted items are marked with a leading `*`. */
  slots: string[];
}

export interface MetadataCase {
  name: string;
  options?: unknown;
  item_ids: string[];
  metadata: Metadata[];
}

/** A source that was opened for one run of the tests. */
export interface ConnectorSource {
  /** Options that are only known now, such as the port. Default: those of the case. */
  options?: unknown;
  close?(): void | Promise<void>;
}

export interface ConnectorCase {
  name: string;
  options?: unknown;
  /** Opens a source that always contains the same and can be read several times. Called once per check. */
  open(): ConnectorSource | Promise<ConnectorSource>;
  /** Everything that the source contains, in order. Records that are emitted again after a restart count once. */
  emits: ConnectorRecord[];
  /** Texts that appear in log lines, such as the names of bad input that is skipped. */
  warns?: string[];
}

/** A delivery, and either the records that it becomes or the error that it causes. */
export interface WebhookCase {
  name: string;
  options?: unknown;
  /** The JSON of the body. */
  delivery: unknown;
  /** Default none. */
  records?: ConnectorRecord[];
  /** A part of the error message. */
  fails?: string;
}

export interface CaseOf {
  scoring_functions: ScoringCase;
  filters: FilterCase;
  visibility_rules: VisibilityCase;
  signals: SignalCase;
  candidate_sources: SourceCase;
  promotion_strategies: PromotionCase;
  metadata_providers: MetadataCase;
  connectors: ConnectorCase;
  webhooks: WebhookCase;
}

/** The test cases for one extension. */
export interface Tests<C> {
  cases?: readonly C[];
  /** Options that the extension must reject. */
  refuses?: readonly unknown[];
}

/** Registers the tests of one extension. @throws Error if the plugin has no such extension */
export type Test<C> = (plugin: Plugin, id: string, tests?: Tests<C>) => void;
