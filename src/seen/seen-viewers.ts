import { decodeHead, isEmpty } from './head.ts';
import type { SeenStore } from './seen-store.ts';

/** Those of the viewers of whom anything is stored. Reads their heads, and no parts. */
export async function seenViewers(
  store: Pick<SeenStore, 'read'>,
  viewers: readonly string[],
): Promise<Set<string>> {
  // No part was stored after this number.
  const rows = await store.read(viewers.map((viewer) => ({ viewer, number: Number.MAX_SAFE_INTEGER })));
  const seen = rows.filter(({ content }) => content !== undefined && hasAnything(content));
  return new Set(seen.map(({ viewer }) => viewer));
}

/** A damaged head can be erased, too. */
function hasAnything(content: Uint8Array): boolean {
  try {
    return !isEmpty(decodeHead(content));
  } catch {
    return true;
  }
}
