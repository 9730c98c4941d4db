import { FIXED_HASH_KEY, type HashKey, type IntegerHash, integerHashOf } from '../columns/keyed-hash.ts';
import { STATE_LIMITS, type StateLimits } from './limits.ts';

/** The configuration that all parts of one state share. */
export interface Setup {
  /** The key for hashes of texts. */
  hash_key: HashKey;
  /** The parameters for hashes of ordinals. */
  ordinal_hash: IntegerHash;
  limits: StateLimits;
}

/** @param limits replace those of `STATE_LIMITS` */
export function setupOf(hash_key: HashKey, limits: Partial<StateLimits>): Setup {
  return { hash_key, ordinal_hash: integerHashOf(hash_key), limits: { ...STATE_LIMITS, ...limits } };
}

/** For parts that are used alone, as in tests. */
export const DEFAULT_SETUP = setupOf(FIXED_HASH_KEY, {});
