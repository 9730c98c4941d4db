const FNV_OFFSET = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

/** The key by which logged pages and models name a signal: 32-bit FNV-1a of its id in UTF-8. */
export function signalKey(name: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/** The score of the feed type's default scoring function is logged and learnt from as if it was a signal of this name. */
export const DEFAULT_SCORE = 'default';
export const DEFAULT_SCORE_KEY: number = signalKey(DEFAULT_SCORE);
