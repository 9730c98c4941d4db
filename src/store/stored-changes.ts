import type { HashKey } from '../columns/keyed-hash.ts';
import type { Change } from '../model/change.ts';
import type { Replayed, ReplayOptions } from './replay.ts';

/** The stored changes, from which a state is built. */
export interface StoredChanges {
  /** Visits every stored change in order of `seq`, from one snapshot. */
  replay(visit: (change: Change) => void, options?: Omit<ReplayOptions, 'reader_thread'>): Promise<Replayed>;
  /** `seq` of the latest change of kind `trend`; 0 if there is none. Trends need no earlier changes. */
  latestTrend(): Promise<number>;
  /** The key of hash tables in memory. It never changes for the same data. */
  hashKey(): Promise<HashKey>;
}
