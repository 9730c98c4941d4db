import { decodeHead, isEmpty, NO_HEAD, type SeenHead } from './head.ts';
import type { SeenStore } from './seen-store.ts';

/**
 * Those of the viewers of whom anything is stored. Reads their heads, and no parts.
 * @param isLogged whether the log has pages of a viewer after a `seq`
 */
export async function seenViewers(
  store: Pick<SeenStore, 'read'>,
  viewers: readonly string[],
  isLogged: (viewer: string, after: number) => Promise<boolean>,
): Promise<Set<string>> {
  // No part was stored after this number.
  const rows = await store.read(viewers.map((viewer) => ({ viewer, number: Number.MAX_SAFE_INTEGER })));
  const contents = new Map(rows.map(({ viewer, content }) => [viewer, content]));
  const stored = await Promise.all(
    viewers.map((viewer) => {
      const head = headOf(contents.get(viewer));
      return head === undefined || !isEmpty(head) || isLogged(viewer, head.erased_seq);
    }),
  );
  return new Set(viewers.filter((_, at) => stored[at]));
}

/** Undefined for a damaged head, which can be erased, too. */
function headOf(content: Uint8Array | undefined): SeenHead | undefined {
  if (content === undefined) return NO_HEAD;
  try {
    return decodeHead(content);
  } catch {
    return undefined;
  }
}
