import { NONE } from '../model/key.ts';
import type { InteractionLog } from './interaction-log.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The number of entries of one user to update before the next user's turn. */
const TURN_ENTRIES = 64;

export interface SuspensionHooks {
  isHidden(user: number): boolean;
  /** Called for each act that stops counting (-1) because its user is hidden, or counts again (1). */
  onSuspension(item: number, event_type: number, time: number, delta: 1 | -1): void;
}

interface Logs {
  by_user: InteractionLog;
  by_item: InteractionLog;
}

/**
 * Suspends the acts of hidden users, so that they do not count.
 *
 * Entries stay in both logs, at their places, and are marked as suspended in the items' logs. Counters follow. When the
 * user is shown again, the same entries are resumed, and the state is as if nothing had happened.
 *
 * Each entry stores whether it is suspended. So a user's entries can be updated in slices, in any order with other
 * changes, and the final state is the same. `alignItem` gives the final state of one item at once.
 */
export class Suspension {
  static readonly transient = ['vocabulary', 'hooks'];
  /** Users with outdated entries, and for each the number of entries left, counted from the oldest. */
  private readonly waiting = new Map<number, number>();

  constructor(
    private readonly logs: Logs,
    private readonly vocabulary: Vocabulary,
    private readonly hooks: SuspensionHooks,
  ) {}

  /** The number of users whose acts have not all been suspended or resumed. */
  get users_waiting(): number {
    return this.waiting.size;
  }

  isHidden(user: number): boolean {
    return this.hooks.isHidden(user);
  }

  /** Must be called when a user was hidden or shown again. `step` updates the entries later. O(1). */
  begin(user: number): void {
    const entries = this.logs.by_user.length(user);
    if (entries > 0) this.waiting.set(user, entries);
  }

  /** Updates up to `entries` outdated entries, each user's latest first. Returns false if none is left. */
  step(entries: number): boolean {
    let left = entries;
    // An unfinished user is added again at the end.
    for (const user of this.waiting.keys()) {
      if (left <= 0) break;
      left -= this.advance(user, Math.min(left, TURN_ENTRIES));
    }
    return this.waiting.size > 0;
  }

  /** Suspends or resumes all outdated entries of one item. O(its entries), or O(1) if no user is outdated. */
  alignItem(item: number): void {
    if (this.waiting.size === 0) return;
    const { by_item } = this.logs;
    for (let at = by_item.start(item); at < by_item.end(item); at++) {
      const hidden = this.isHidden(by_item.other(at));
      if (by_item.removed(at) !== hidden) this.switch(item, at, hidden);
    }
  }

  /** Must be called after an entry was added to a user's log, as it may be among the outdated ones. */
  added(user: number): void {
    if (this.waiting.size === 0) return;
    const left = this.waiting.get(user);
    if (left !== undefined) this.waiting.set(user, left + 1);
  }

  /** Must be called after a user's log was emptied. */
  drop(user: number): void {
    this.waiting.delete(user);
  }

  private advance(user: number, entries: number): number {
    const { by_user } = this.logs;
    const start = by_user.start(user);
    // Entries may have been removed since.
    const left = Math.min(this.waiting.get(user) ?? 0, by_user.length(user));
    const rest = Math.max(0, left - entries);
    const hidden = this.isHidden(user);
    for (let at = start + left - 1; at >= start + rest; at--) this.alignEntry(user, at, hidden);
    this.waiting.delete(user);
    if (rest > 0) this.waiting.set(user, rest);
    return left - rest;
  }

  private alignEntry(user: number, entry: number, hidden: boolean): void {
    const { by_user, by_item } = this.logs;
    const event_type = by_user.event_type(entry);
    if (by_user.removed(entry) || !this.vocabulary.isOfItem(event_type)) return;
    const item = by_user.other(entry);
    const time = by_user.timestamp(entry);
    const at = by_user.named(entry)
      ? by_item.findNamed(item, user, time, !hidden)
      : by_item.findAt(item, user, event_type, time);
    if (at !== NONE && by_item.removed(at) !== hidden) this.switch(item, at, hidden);
  }

  private switch(item: number, at: number, hidden: boolean): void {
    const { by_item } = this.logs;
    if (hidden) by_item.suspend(item, at);
    else by_item.resume(item, at);
    this.hooks.onSuspension(item, by_item.event_type(at), by_item.timestamp(at), hidden ? -1 : 1);
  }
}
