import type { EngineSettings } from '../feed/create-engine.ts';
import type { MeterReading } from '../feed/feed-meter.ts';
import type { ColdStartDefaults } from '../feed/resolve-feed.ts';
import type { FeedsNews } from '../feed/saved-feed.ts';
import type { Effort, Ordinal } from '../plugin/index.ts';
import type { MirrorMemory, Places } from '../state/mirror.ts';

/** What a page thread works by, for as long as it lives. */
export interface ThreadSettings extends EngineSettings, ColdStartDefaults {
  overfetch_factor: number;
}

/** What the serving thread asks of a page thread, which does one order after another. */
export type Order = Beginning | Batch;

export interface Beginning {
  type: 'begin';
  settings: ThreadSettings;
  /** Signals whose rankings are built before somebody asks. */
  rankings: readonly string[];
  /** Of the state. */
  memory: MirrorMemory;
  /** Of the lock within which it reads, and which of its readers it is. */
  lock: Int32Array<SharedArrayBuffer>;
  reader: number;
}

/** Pages to be built, perhaps none. */
export interface Batch {
  type: 'batch';
  places: Places;
  /** What happened to saved feeds since the last one. */
  news: FeedsNews[];
  /** Seconds. */
  now: number;
  effort: Effort;
  /** `TextOrder[]` as JSON: a string takes a twentieth of the time to hand over that the objects would. */
  pages: string;
  /** How long it may go on afterwards with what is better done before somebody waits for it. */
  work_ms: number;
}

/** What became of a batch. */
export interface BatchReply {
  /** The texts, one upon the other. */
  text: Uint8Array<ArrayBuffer>;
  /**
   * Of each page that was begun, in order, two numbers: the bytes of its text, `NOT_BUILT` when the serving thread has to build
   * it; and how many items its viewer is to have seen. None is begun once columns lie elsewhere than the batch says.
   */
  pages: Int32Array<ArrayBuffer>;
  /** The keys of these items, one page's upon the other's. */
  seen: Uint32Array<ArrayBuffer>;
  /** Items whose neighbour lists were missing or outdated. */
  missed: Ordinal[];
  meter: MeterReading;
  /** There is more that is better done before somebody waits for it. */
  more: boolean;
}

export const NOT_BUILT = -1;
