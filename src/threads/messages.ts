import type { EngineSettings } from '../feed/create-engine.ts';
import type { TextOrder } from '../feed/elsewhere.ts';
import type { MeterReading } from '../feed/feed-meter.ts';
import type { JsonText } from '../feed/json-bytes.ts';
import type { ColdStartDefaults } from '../feed/resolve-feed.ts';
import type { FeedsNews } from '../feed/saved-feed.ts';
import type { Effort, Ordinal } from '../plugin/index.ts';
import type { Publication } from '../state/mirror.ts';

/** What a page thread works by, for as long as it lives. */
export interface ThreadSettings extends EngineSettings, ColdStartDefaults {
  overfetch_factor: number;
}

/** What the serving thread asks of a page thread; one order is under way at a time. */
export type Order = Beginning | Batch;

export interface Beginning {
  type: 'begin';
  settings: ThreadSettings;
  /** Signals whose rankings are built before somebody asks. */
  rankings: readonly string[];
  /** One integer that both threads see: not 0 when a change waits, so that no further page is begun. */
  change_waits: Int32Array<SharedArrayBuffer>;
}

/** Pages to be built, perhaps none, of one moment of the state. */
export interface Batch {
  type: 'batch';
  publication: Publication;
  /** What happened to saved feeds since the last one. */
  news: FeedsNews[];
  /** Seconds. */
  now: number;
  effort: Effort;
  pages: TextOrder[];
  /** How long it may go on afterwards with what is better done before somebody waits for it. */
  work_ms: number;
}

/** What became of a batch. */
export interface BatchReply {
  /** The texts, one upon the other. */
  text: JsonText;
  /** Of each page that was begun, in order; null: the serving thread has to build it. */
  pages: (BuiltPage | null)[];
  /** Items whose neighbour lists were missing or outdated. */
  missed: Ordinal[];
  meter: MeterReading;
  /** There is more that is better done before somebody waits for it. */
  more: boolean;
}

export interface BuiltPage {
  /** Bytes of its text. */
  length: number;
  /** The items that its viewer is to have seen. */
  seen: Ordinal[];
}
