import type { Change } from '../model/change.ts';
import { latestTrend } from './latest.ts';
import type { Reading } from './reading.ts';
import type { Replayed, ReplayOptions } from './replay.ts';
import { storedSecret, storedTableHashKey } from './secrets.ts';
import type { Reads } from './timed-reads.ts';

export const CHANGES_READS = {
  /** `seq` of the latest change of kind `trend`; 0 if there is none. Trends need no earlier changes. */
  latestTrend: ({ db }: Reading) => latestTrend(db),
  /** The key of hash tables in memory. It never changes for the same data. */
  hashKey: ({ db }: Reading) => storedTableHashKey(db),
  /** The key of the hashes of viewers in `seen`. */
  seenKey: ({ db }: Reading) => storedSecret(db, 'seen'),
};

/** The stored changes, from which a state is built. */
export interface StoredChanges extends Reads<typeof CHANGES_READS> {
  /** Visits every stored change in order of `seq`, from one snapshot. */
  replay(visit: (change: Change) => void, options?: Omit<ReplayOptions, 'reader_thread'>): Promise<Replayed>;
}
