import { FIXED_HASH_KEY, type HashKey, type IntegerHash, integerHashOf } from '../columns/keyed-hash.ts';
import { STATE_LIMITS, type StateLimits } from './limits.ts';

export interface Setup {
  hash_key: HashKey;
  ordinal_hash: IntegerHash;
  limits: StateLimits;
}

export function setupOf(hash_key: HashKey, limits: Partial<StateLimits>): Setup {
  return { hash_key, ordinal_hash: integerHashOf(hash_key), limits: { ...STATE_LIMITS, ...limits } };
}

export const DEFAULT_SETUP = setupOf(FIXED_HASH_KEY, {});
