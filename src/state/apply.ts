import { LIMITS } from '../limits.ts';
import { COUNTERS, clamped } from '../model/acts.ts';
import type { Change } from '../model/change.ts';
import type { ActDeletionChange } from '../model/changes/act-deletion.ts';
import type { BlockChange } from '../model/changes/block.ts';
import type { DeletionChange } from '../model/changes/deletion.ts';
import type { EngagementChange } from '../model/changes/engagement.ts';
import type { ErasureChange } from '../model/changes/erasure.ts';
import type { FollowChange } from '../model/changes/follow.ts';
import type { FollowListChange } from '../model/changes/follow-list.ts';
import type { InteractionChange } from '../model/changes/interaction.ts';
import type { ItemChange } from '../model/changes/item.ts';
import type { LabelChange } from '../model/changes/label.ts';
import type { NameChange } from '../model/changes/name.ts';
import type { PreferencesChange } from '../model/changes/preferences.ts';
import type { ReleaseChange } from '../model/changes/release.ts';
import type { RetirementChange } from '../model/changes/retirement.ts';
import type { UserChange } from '../model/changes/user.ts';
import { NONE } from '../model/key.ts';
import { deleteItems, eraseUser, forgetItems, invalidateActsOf } from './forget.ts';
import { hideByLabels, hideOrShow } from './hidden.ts';
import type { LabelFact } from './labels.ts';
import { applyLearning, learnAct } from './learning/apply-learning.ts';
import { applyUserList } from './list-changes.ts';
import { group, list, relistAlike, staysListed, unlist } from './listed.ts';
import type { State } from './state.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Raise it when the same changes lead to another state than before. Nodes with different versions do not work together.
 */
export const STATE_VERSION = 10;

/**
 * Applies one stored change to the state. It is the only writer of the state.
 *
 * Changes come in `seq` order, each once. A change with an unknown key is skipped: its user or item was erased. The
 * rows that named it may already be gone, so live state and a later fold agree.
 */
export function applyChange(state: State, change: Change): void {
  state.seq = change.seq;
  begin(state, change);
  applyByKind(state, change);
  state.recycler.step(state);
}

/**
 * Applies an erasure in steps of some milliseconds, between which pages may be built, but no other change may be applied.
 * The state is the same as after `applyChange`. What is derived from it meanwhile counts as older than the erasure.
 */
export function* applyErasure(state: State, change: ErasureChange): Generator<undefined, void> {
  begin(state, change);
  yield* erase(state, change);
  state.seq = change.seq;
  state.recycler.step(state);
}

function begin(state: State, change: Change): void {
  state.applied_at = change.applied_at;
  if (change.seq >= state.learns_from) {
    state.trend.tick(change.applied_at);
    state.learning.tick(change.applied_at);
  }
  state.tombstones.user.expire(change.applied_at);
  state.tombstones.item.expire(change.applied_at);
  for (const [space, subject] of state.labels.ended(change.applied_at)) hideByLabels(state, space, subject);
}

function finish(steps: Generator): void {
  while (steps.next().done !== true);
}

function* erase(state: State, { user, viewer, applied_at }: ErasureChange): Generator<undefined, void> {
  if (state.learns && viewer !== '') state.learning.forgetViewer(viewer);
  yield* eraseUser(state, state.users.names.ordinal(user), applied_at);
  state.erasures++;
  state.erased_at = applied_at;
}

function applyByKind(state: State, change: Change): void {
  switch (change.kind) {
    case 'name':
      applyName(state, change);
      break;
    case 'item':
      applyItem(state, change);
      break;
    case 'user':
      applyUser(state, change);
      break;
    case 'engagement':
      applyEngagement(state, change);
      break;
    case 'interaction':
      applyInteraction(state, change);
      break;
    case 'follow':
      applyFollow(state, change);
      break;
    case 'follow_list':
      applyFollowList(state, change);
      break;
    case 'block':
      applyBlock(state, change);
      break;
    case 'label':
      applyLabel(state, change);
      break;
    case 'deletion':
      applyDeletion(state, change);
      break;
    case 'act_deletion':
      applyActDeletion(state, change);
      break;
    case 'erasure':
      finish(erase(state, change));
      break;
    case 'retirement':
      applyRetirement(state, change);
      break;
    case 'event':
    case 'outcome':
      break;
    case 'trend':
      state.trend.restore(change.numbers);
      break;
    case 'release':
      applyRelease(state, change);
      break;
    case 'user_list':
      applyUserList(state, change);
      break;
    case 'experiment':
      state.experiments.set(change);
      break;
    case 'preferences':
      applyPreferences(state, change);
      break;
    case 'shown':
    case 'shown_counts':
    case 'model':
    case 'learning':
      applyLearning(state, change);
      break;
    case 'tombstone':
      state.tombstones[change.space].set(change, change, change.applied_at);
      break;
  }
}

/**
 * The clamped time of an interaction.
 *
 * An act that is identified by its time may lie a little in the future. Clamping it would make a second act when it is
 * delivered again later.
 */
export function timeOfAct(
  vocabulary: Vocabulary,
  { event_type, event_id, timestamp }: Pick<InteractionChange, 'event_type' | 'event_id' | 'timestamp'>,
  applied_at: number,
): number {
  const identified_by_time = event_id === '' && vocabulary.isIdentifiedByTime(event_type);
  return clamped(timestamp, identified_by_time ? applied_at + LIMITS.future_tolerance_seconds : applied_at);
}

function applyName({ users, items }: State, { space, key, id, applied_at }: NameChange): void {
  if (space === 'user') {
    users.names.add(key, id);
    users.extend();
    return;
  }
  const item = items.names.add(key, id);
  items.extend();
  if (item !== NONE) items.recordActivity(item, applied_at);
}

function applyUser(state: State, change: UserChange): void {
  const user = state.users.names.ordinal(change.user);
  if (user === NONE) return;
  const was_hidden = state.users.hidden(user);
  state.users.describe(user, change.content, change.seq);
  if (state.users.hidden(user) !== was_hidden) hideOrShow(state, user);
  state.user_revisions.note(user);
  state.fields.describeUser(user, change.content);
  placeUser(state, user, change.content.geo_location);
}

function placeUser(
  { user_places, by_author, rewritten }: State,
  user: number,
  place: string | undefined,
): void {
  const before = [user_places.latitude(user), user_places.longitude(user)];
  user_places.set(user, place);
  const after = [user_places.latitude(user), user_places.longitude(user)];
  if (Object.is(before[0], after[0]) && Object.is(before[1], after[1])) return;
  for (let at = by_author.start(user); at < by_author.end(user); at++) rewritten.note(by_author.item(at));
}

function applyFollow(state: State, change: FollowChange): void {
  const user = state.users.names.ordinal(change.user);
  const target = state.users.names.ordinal(change.target);
  if (user === NONE || target === NONE) return;
  state.follows.record(user, target, change.action === 1, clamped(change.timestamp, change.applied_at));
}

function applyFollowList(state: State, change: FollowListChange): void {
  const { names } = state.users;
  const user = names.ordinal(change.user);
  if (user === NONE) return;
  const known = (keys: Uint32Array) =>
    Array.from(keys, (key) => names.ordinal(key)).filter((target) => target !== NONE);
  const time = clamped(change.timestamp, change.applied_at);
  state.follows.recordList(user, known(change.followed), known(change.unfollowed), time);
}

function applyBlock(state: State, change: BlockChange): void {
  const user = state.users.names.ordinal(change.user);
  const target = state.users.names.ordinal(change.target);
  if (user === NONE || target === NONE) return;
  state.blocks.record(user, target, change.action === 1, clamped(change.timestamp, change.applied_at));
}

function applyPreferences({ users, preferences }: State, change: PreferencesChange): void {
  const user = users.names.ordinal(change.user);
  if (user !== NONE) preferences.set(user, change.content, change.seq);
}

function applyLabel(state: State, change: LabelChange): void {
  const space = change.item === NONE ? 'user' : 'item';
  const { names } = space === 'user' ? state.users : state.items;
  const labeler = state.users.names.ordinal(change.labeler);
  const subject = names.ordinal(change[space]);
  if (labeler === NONE || subject === NONE) return;
  if (state.labels.record(space, subject, labeler, change.value, labelFact(change)))
    hideByLabels(state, space, subject);
}

/** What a change says of a label, as the state keeps it. */
export function labelFact(
  change: Pick<LabelChange, 'action' | 'hides' | 'timestamp' | 'expires_at' | 'applied_at'>,
): LabelFact {
  const { action, hides, timestamp, expires_at, applied_at } = change;
  const last = Math.floor(Math.min(expires_at ?? 0, LIMITS.stored_seconds_max));
  return {
    stands: action === 1,
    hides: hides === 1,
    time: clamped(timestamp, applied_at),
    expires_at: expires_at === undefined ? 0 : Math.max(1, last),
  };
}

function applyItem(state: State, change: ItemChange): void {
  const item = state.items.names.ordinal(change.item);
  const author = state.users.names.ordinal(change.author);
  if (item === NONE) return;
  noteFirstDescription(state, item, change.applied_at);
  if (change.author !== NONE && author === NONE) {
    // The next version cannot see the deletion any more, so it is noted here.
    if (state.items.deleted(item)) state.republished.note(item);
    state.items.revive(item);
    state.skipped.set(item, change.seq);
    state.withdrawn.delete(item);
    return;
  }
  state.withdrawn.delete(item);
  if (state.items.deleted(item)) state.republished.note(item);
  const listed = staysListed(state, item, author, change.content);
  const was_live = state.live(item);
  state.skipped.delete(item);
  if (!listed) unlist(state, item);
  state.items.describe(item, author, change.content, change.seq);
  state.fields.describeItem(item, change.content);
  state.words.describeItem(item, change.content);
  state.embeddings.set(item, change.content.embedding);
  state.reports.dismiss(item, change.content.dismissed_reports_count ?? 0);
  if (!listed) list(state, item);
  group(state, item, change.content);
  if (author !== NONE) state.user_revisions.note(author);
  state.changed.note(item);
  state.rewritten.note(item);
  if (!listed || state.live(item) !== was_live) state.visibility.note(item);
}

/**
 * Records that an item is described for the first time, or again after a deletion.
 *
 * Only where ages count from the last act: there the description does not define the age of an item.
 */
function noteFirstDescription({ items, skipped, vocabulary }: State, item: number, applied_at: number): void {
  if (vocabulary.habits.ages_from !== 'creation') return;
  if (!items.described(item) && !skipped.has(item)) items.recordActivity(item, applied_at);
}

function applyEngagement(state: State, change: EngagementChange): void {
  const item = state.items.names.ordinal(change.item);
  if (item === NONE || state.items.deleted(item)) return;
  const counted_at = clamped(change.updated_at, change.applied_at);
  let changed = false;
  for (const counter of COUNTERS) {
    const count = change[counter];
    if (count === NONE || counted_at < state.items.counted_at(item, counter)) continue;
    const own = state.interactions.by_item.count(item, state.vocabulary.counted[counter], counted_at);
    state.items.setSource(item, counter, count, counted_at, own);
    changed = true;
  }
  if (changed) state.noteEngagement(item, counted_at);
}

function applyInteraction(state: State, change: InteractionChange): void {
  const user = state.users.names.ordinal(change.user);
  const item = state.items.names.ordinal(change.item);
  if (user === NONE || item === NONE) return;
  const { event_type, event_id } = change;
  if (event_type >= state.vocabulary.names.length) throw new Error(`unknown event type ${event_type}`);
  const add = change.action === 1;
  const time = timeOfAct(state.vocabulary, change, change.applied_at);
  const act = { user, item, event_type, add, time, event_id };
  const feed = add && state.vocabulary.isApproval(event_type) ? state.items.feedShowing(item, time) : NONE;
  // An act that is sent again with a later time is no other act. Whether it is only matters for shown items.
  const is_repeated = add && state.items.wasShownLately(item, time) && state.interactions.stands(act);
  if (state.interactions.record(act) && !is_repeated) {
    if (feed !== NONE) state.feed_days.countAct(change.applied_at, feed);
    learnAct(state, act);
  }
  if (add && state.vocabulary.refreshesAge(event_type)) state.items.recordActivity(item, time);
}

/** Deletes an item. It still belongs to its author and is removed for good when they are erased. */
function applyDeletion(state: State, change: DeletionChange): void {
  const item = state.items.names.ordinal(change.item);
  if (item === NONE) return;
  const author = state.items.described(item)
    ? state.items.author(item)
    : state.users.names.ordinal(change.author ?? NONE);
  if (author !== NONE) state.withdrawn.set(item, author);
  deleteItems(state, [item], change.acts_before);
  state.items.recordActivity(item, change.applied_at);
}

function applyActDeletion(state: State, change: ActDeletionChange): void {
  const user = state.users.names.ordinal(change.user);
  const item = state.items.names.ordinal(change.item);
  if (user === NONE || item === NONE) return;
  const { event_type, timestamp, applied_at } = change;
  const act = { event_type, event_id: '' };
  const time =
    timestamp === undefined ? undefined : timeOfAct(state.vocabulary, { ...act, timestamp }, applied_at);
  if (!state.interactions.forget({ user, item, event_type }, time)) return;
  state.invalidated.note(item);
  invalidateActsOf(state, user);
  learnAct(state, { user, item, event_type, add: false, time: applied_at });
}

function applyRetirement(state: State, { items, applied_at }: RetirementChange): void {
  const known = Array.from(items, (key) => state.items.names.ordinal(key)).filter((item) => item !== NONE);
  forgetItems(state, known, applied_at);
}

/**
 * Removes the author of items.
 *
 * After a purge, the rows of these items have no author either. A fold of those rows must produce the same order, so
 * all items are listed again, including those without an author.
 */
function applyRelease(state: State, change: ReleaseChange): void {
  const { users, items, by_author, changed, rewritten, visibility } = state;
  const user = users.names.ordinal(change.user);
  for (const key of change.items) {
    const item = items.names.ordinal(key);
    if (item === NONE || !items.described(item)) continue;
    const author = items.author(item);
    if (author !== NONE && author !== user) continue;
    const was_live = state.live(item);
    if (author !== NONE) by_author.remove(author, item);
    items.setAuthor(item, NONE);
    if (!was_live) visibility.note(item);
    relistAlike(state, item);
    changed.note(item);
    rewritten.note(item);
  }
  if (user !== NONE) state.user_revisions.note(user);
}
