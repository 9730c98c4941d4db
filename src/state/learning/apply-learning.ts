import type { Change } from '../../model/change.ts';
import { LEARNING } from '../../model/changes/learning.ts';
import { MODEL } from '../../model/changes/model.ts';
import { SHOWN, type ShownChange } from '../../model/changes/shown.ts';
import { SHOWN_COUNTS, type ShownCountsChange } from '../../model/changes/shown-counts.ts';
import type { Act } from '../interactions.ts';
import type { State } from '../state.ts';
import { TOUCHED } from '../touched.ts';

const KINDS = [SHOWN.kind, SHOWN_COUNTS.kind, MODEL.kind, LEARNING.kind] as const;

/** Applies changes about shown pages and what is learnt from them. */
export function applyLearning(state: State, change: Extract<Change, { kind: (typeof KINDS)[number] }>): void {
  if (change.kind === SHOWN.kind) applyShown(state, change);
  else if (change.kind === SHOWN_COUNTS.kind) restoreShown(state, change);
  else if (change.kind === LEARNING.kind) state.learning.restore(change);
  else if (state.learns && change.action !== 'stored') state.learning.change(change);
}

function applyShown(state: State, change: ShownChange): void {
  const { items, feed_days, learning } = state;
  const { page, halvings, applied_at } = change;
  const pages = 2 ** halvings;
  items.countShown(page, pages);
  feed_days.countPage(applied_at, page.feed, pages, page.items.length);
  if (state.learns) learning.show(change);
}

function restoreShown({ items, feed_days }: State, change: ShownCountsChange): void {
  items.restoreShown(change.items, change.counts);
  if (change.feed_days.length > 0) feed_days.restore(change.feed_days);
}

/** Lets pages that showed an item learn what the user thinks of it after an act that was added or removed. */
export function learnAct(state: State, act: Omit<Act, 'event_id'>): void {
  const { user, item, event_type, add, time } = act;
  const { users, vocabulary, interactions, preferences, learning, learns } = state;
  if (!learns || !(vocabulary.isApproval(event_type) || vocabulary.isHide(event_type))) return;
  if (users.hidden(user) || !preferences.isPersonalised(user)) return;
  const flags = interactions.touched.flags(user, item);
  const kind = flags & TOUCHED.hidden ? 'negative' : flags & TOUCHED.interacted ? 'positive' : 'none';
  // One of several acts was taken back, possibly one from before the page.
  if (!add && kind === 'positive' && vocabulary.isApproval(event_type)) return;
  learning.act(user, item, kind, time);
}
