import type { Space } from '../model/key.ts';
import type { State } from './state.ts';

/**
 * Updates everything that depends on whether a user is hidden, as their acts count only while they are visible.
 *
 * O(the user's items and log entries). `State.settle` updates the counts of items later.
 */
export function hideOrShow(state: State, user: number): void {
  const { by_author, visibility } = state;
  for (let at = by_author.start(user); at < by_author.end(user); at++) visibility.note(by_author.item(at));
  if (state.users.hidden(user)) state.hidings++;
  state.follows.noteHidden(user);
  state.interactions.suspension.begin(user);
  countReportsOf(state, user, state.users.hidden(user) ? -1 : 1);
}

/**
 * Counts a user's reports in or out. Item logs do not hold hides and reports, so suspension does not cover them.
 *
 * O(the user's log entries).
 */
function countReportsOf({ interactions, reports }: State, user: number, delta: 1 | -1): void {
  const { by_user } = interactions;
  for (let at = by_user.start(user); at < by_user.end(user); at++) {
    if (!by_user.removed(at)) reports.count(by_user.other(at), by_user.event_type(at), delta);
  }
}

/** Hides or shows an item or a user according to the labels that stand. O(their labels), and as `hideOrShow`. */
export function hideByLabels(state: State, space: Space, subject: number): void {
  const { items, users, labels, applied_at } = state;
  const labelled = labels.hides(space, subject, applied_at);
  if (space === 'user') {
    const was_hidden = users.hidden(subject);
    users.hideByLabel(subject, labelled);
    if (users.hidden(subject) === was_hidden) return;
    hideOrShow(state, subject);
    state.user_revisions.note(subject);
    return;
  }
  const was_hidden = items.hidden(subject);
  items.hideByLabel(subject, labelled);
  if (items.hidden(subject) === was_hidden) return;
  state.changed.note(subject);
  state.visibility.note(subject);
  const author = items.author(subject);
  if (author >= 0) state.user_revisions.note(author);
}
