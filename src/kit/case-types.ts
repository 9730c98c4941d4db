import type { ConnectorRecord, Metadata, Plugin } from '../plugin/index.ts';
import type { TestWorld } from './test-world.ts';

/** What an extension is expected to do with some options, given as in a feed. */
interface Expected<E> {
  /** Default: the options. */
  name?: string;
  /** Default: those of the extension. */
  options?: unknown;
  /** Or a part of the message of the error that the options, or the case, cause. */
  expect: E | { error: string };
}

/** The ids of the kept items, in the order of `items`. */
export type FilterCase = TestWorld & Expected<string[]>;

/** The ids of the items that the viewer may see, in the order of `items`. */
export type VisibilityCase = TestWorld & Expected<string[]>;

/** Ids in the order of their scores, best first and without ties; or scores by id, to nine significant digits. */
export type ScoringCase = TestWorld & Expected<string[] | Record<string, number>>;

/** Values by id, to nine significant digits; or ids in the order of their values, greatest first and without ties. */
export type SignalCase = TestWorld & Expected<string[] | Record<string, number>>;

/** The ids of the page's items. Promoted ones are marked with a leading `*`. */
export interface PromotionCase extends Expected<string[]> {
  /** Item ids, best first. */
  main: string[];
  /** Item ids, with a rank for those that are pinned to a slot. */
  promoted: (string | { item_id: string; rank: number })[];
  page: number;
  /** Default 2. */
  overfetch_factor?: number;
  /** Default 1. */
  seed?: number;
}

export interface MetadataCase extends Expected<Metadata[]> {
  item_ids: string[];
}

/** A source that was opened for one run of the tests. */
export interface ConnectorSource {
  /** Options that are only known now, such as the port. Default: those of the case. */
  options?: unknown;
  close?(): void | Promise<void>;
}

/** All records of the source, in order. Records that are emitted again after a restart count once. */
export interface ConnectorCase extends Expected<ConnectorRecord[]> {
  /** Opens a source that always contains the same and can be read several times. Called once per check. */
  open(): ConnectorSource | Promise<ConnectorSource>;
  /** Records that stand in the service before, whoever sent them, for a connector that uses `host.current`. */
  stored?: ConnectorRecord[];
  /** Texts that appear in log lines, such as the names of bad input that is skipped. */
  warns?: string[];
}

/** The records of a delivery. */
export interface WebhookCase extends Expected<ConnectorRecord[]> {
  /** The JSON of the body. */
  delivery: unknown;
}

export interface CaseOf {
  scoring_functions: ScoringCase;
  filters: FilterCase;
  visibility_rules: VisibilityCase;
  signals: SignalCase;
  promotion_strategies: PromotionCase;
  integrations: ConnectorCase | WebhookCase | MetadataCase;
}

/** The test cases for one extension. */
export type Tests<C> = Omit<Partial<C>, keyof Expected<unknown>> & {
  /** What they do not give is as in the tests around them: all cases can share `items` or a `viewer`. */
  cases?: readonly (Pick<C, keyof Expected<unknown> & keyof C> & Partial<C>)[];
  /** Options that the extension must reject. */
  refuses?: readonly unknown[];
};

/** Registers the tests of one extension. @throws Error if the plugin has no such extension */
export type Test<C> = (plugin: Plugin, id: string, tests?: Tests<C>) => void;
