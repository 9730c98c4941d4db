import type { Seconds } from '../clock.ts';
import { NONE } from '../model/key.ts';
import { mayBeNamed } from '../state/may-be-named.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';
import { ACTIVE_SECONDS } from './bounds.ts';
import { latestPublicActs } from './public-acts.ts';

/** Latest items of a user that are searched for a visible one. */
const LOOKED_AT_MAX = 64;

/** Whether a user published a visible item or acted in public in the last `ACTIVE_DAYS` days. */
export function isActive(state: State, user: number, now: Seconds): boolean {
  const since = now - ACTIVE_SECONDS;
  const { by_author, items, interactions } = state;
  const first = by_author.start(user);
  let at = by_author.end(user);
  for (const stop = Math.max(first, at - LOOKED_AT_MAX); at-- > stop; ) {
    const item = by_author.item(at);
    if (items.created_at(item) < since) break;
    if (state.live(item) && items.created_at(item) <= now) return true;
  }
  const log = interactions.by_user;
  const [latest] = latestPublicActs(log, state, user, 1);
  return latest !== undefined && log.timestamp(latest) >= since;
}

/** Whether an item may be named to a viewer: visible, not hidden by them, and by a user that may be named. */
export function itemMayBeNamed(state: State, viewer: number, item: number, now: Seconds): boolean {
  if (!state.live(item)) return false;
  if (viewer !== NONE && (state.interactions.touched.flags(viewer, item) & TOUCHED.hidden) !== 0)
    return false;
  const author = state.items.author(item);
  return author < 0 || mayBeNamed(state, viewer, author, now);
}
