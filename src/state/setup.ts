import { FIXED_HASH_KEY, type HashKey, type IntegerHash, integerHashOf } from './keyed-hash.ts';
import { STATE_LIMITS, type StateLimits } from './limits.ts';

/** What all parts of one state are made with. */
export interface Setup {
  /** How texts are hashed, … */
  hash_key: HashKey;
  /** … and ordinals. */
  ordinal_hash: IntegerHash;
  limits: StateLimits;
}

export function setupOf(hash_key: HashKey, limits: Partial<StateLimits>): Setup {
  return { hash_key, ordinal_hash: integerHashOf(hash_key), limits: { ...STATE_LIMITS, ...limits } };
}

/** For parts that stand alone, as in tests. */
export const DEFAULT_SETUP = setupOf(FIXED_HASH_KEY, {});
