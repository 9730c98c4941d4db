import type { Change } from '../state/change.ts';
import type { HashKey } from '../state/keyed-hash.ts';
import type { Replayed, ReplayOptions } from './replay.ts';

/** The stored changes, as a state is made of them. */
export interface StoredChanges {
  /** Every stored change, in order of `seq`, from one view of the data. */
  replay(visit: (change: Change) => void, options?: Omit<ReplayOptions, 'apart'>): Promise<Replayed>;
  /** `seq` of the latest change of kind `trend`, 0 without one: what came before need not be learnt from. */
  latestTrend(): Promise<number>;
  /** What a state of this data hashes with: the same for as long as the data is there. */
  hashKey(): Promise<HashKey>;
}
