import type { Seconds } from '../clock.ts';
import type { Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal, type Viewer } from '../plugin/index.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import { TOUCHED } from '../state/touched.ts';
import type { Engine } from './engine.ts';

/** A viewer, and what they have seen: by pages that were recorded in their row, and by acts of the type `view`. */
interface SeenBy {
  readonly engine: Pick<Engine, 'state'>;
  readonly viewer: Pick<Viewer, 'user'>;
  readonly seen_row: Pick<SeenRow, 'lastSeen' | 'inOrder'> | undefined;
}

/** Whether an item was seen after a time. O(acts of the viewer since then), and then O(log pages) an item. */
export function seenSince(by: SeenBy, since: Seconds): Test {
  const { names } = by.engine.state.items;
  const viewed = viewedSince(by, since);
  return (item) => viewed.has(item) || (by.seen_row?.lastSeen(names.key(item)) ?? since) > since;
}

/**
 * Items that the viewer has seen, longest ago first: by the order of recording, then of slots. Items that were viewed
 * but never recorded stand where the time of their view belongs. Deleted and moderated items are left out.
 */
export function* seenInOrder(by: SeenBy): Generator<Ordinal, void> {
  const { state } = by.engine;
  const { items, interactions } = state;
  const row = by.seen_row;
  const log = interactions.by_user;
  const end = by.viewer.user === NONE ? 0 : log.end(by.viewer.user);
  let at = by.viewer.user === NONE ? 0 : log.start(by.viewer.user);
  function* viewedUntil(time: Seconds): Generator<Ordinal, void> {
    for (; at < end && log.timestamp(at) < time; at++) {
      const item = log.other(at);
      if (isView(by, at) && state.live(item) && row?.lastSeen(items.names.key(item)) === undefined)
        yield item;
    }
  }
  for (const key of row?.inOrder() ?? []) {
    if (at < end) yield* viewedUntil(row?.lastSeen(key) ?? 0);
    const item = items.names.ordinal(key);
    if (item !== NONE && state.live(item)) yield item;
  }
  yield* viewedUntil(Number.POSITIVE_INFINITY);
}

/** When the viewer last saw an item. Undefined: never, or too many others since. O(acts of the viewer). */
export function lastSeen(by: SeenBy, item: Ordinal): Seconds | undefined {
  const { items, interactions } = by.engine.state;
  const log = interactions.by_user;
  const shown = by.seen_row?.lastSeen(items.names.key(item));
  if (by.viewer.user === NONE) return shown;
  for (let at = log.end(by.viewer.user) - 1; at >= log.start(by.viewer.user); at--)
    if (log.other(at) === item && isView(by, at)) return Math.max(shown ?? 0, log.timestamp(at));
  return shown;
}

/** Items of views after a time. O(acts since then). */
function viewedSince(by: SeenBy, since: Seconds): ReadonlySet<Ordinal> {
  const viewed = new Set<Ordinal>();
  if (by.viewer.user === NONE) return viewed;
  const log = by.engine.state.interactions.by_user;
  for (
    let at = log.end(by.viewer.user) - 1;
    at >= log.start(by.viewer.user) && log.timestamp(at) > since;
    at--
  )
    if (isView(by, at)) viewed.add(log.other(at));
  return viewed;
}

/** Whether an entry in the viewer's log is a view that stands. */
function isView({ engine: { state } }: SeenBy, at: number): boolean {
  const { by_user: log } = state.interactions;
  return !log.removed(at) && state.vocabulary.touches(log.event_type(at)) === TOUCHED.viewed;
}
