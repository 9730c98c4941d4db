import { roundToMs } from '../columns/time.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE } from '../model/key.ts';
import type { State } from '../state/state.ts';
import type { QueuedChanges } from './queued-changes.ts';

/** Acts differ at least by a millisecond. */
const TICK_SECONDS = 0.001;

/**
 * Gives acts without a time a unique time if their kind is identified by time.
 *
 * The time is now, but later than the last one for the same user and item, so that acts keep their order.
 */
export class ActTimes {
  /** The latest time per pair. The pair that was not used for longest is first. */
  private readonly latest = new Map<string, number>();

  constructor(
    private readonly state: State,
    private readonly queued_changes: QueuedChanges,
  ) {}

  /**
   * A time too far ahead is returned but not reserved, and the caller refuses it. Amortised O(1).
   * @param event_type code of a kind that is identified by time
   */
  next(user: Key, item: Key, event_type: number, now: number): number {
    const pair = `${user} ${item}`;
    this.forgetBefore(now);
    const latest = this.latest.get(pair) ?? Number.NEGATIVE_INFINITY;
    let time = Math.max(roundToMs(now), roundToMs(latest + TICK_SECONDS));
    while (this.isKnown(user, item, event_type, time)) time = roundToMs(time + TICK_SECONDS);
    if (time > now + LIMITS.future_tolerance_seconds) return time;
    this.latest.set(pair, time);
    return time;
  }

  /** Forgets pairs without keys after a failed commit, because their keys will be reused. */
  reset(): void {
    const { users, items } = this.state;
    for (const pair of this.latest.keys()) {
      const [user, item] = pair.split(' ').map(Number);
      if (users.names.ordinal(user) === NONE || items.names.ordinal(item) === NONE) this.latest.delete(pair);
    }
  }

  private isKnown(user: Key, item: Key, event_type: number, time: number): boolean {
    if (this.queued_changes.fact(pairAt(user, item, event_type, time)) !== undefined) return true;
    const { users, items, interactions } = this.state;
    const [one, other] = [users.names.ordinal(user), items.names.ordinal(item)];
    if (one === NONE || other === NONE) return false;
    return interactions.stands({ user: one, item: other, event_type, add: true, time, event_id: '' });
  }

  /** Checks two pairs per call, so that old pairs are removed faster than new ones arrive. */
  private forgetBefore(now: number): void {
    let checked = 0;
    for (const [pair, time] of this.latest) {
      if (checked++ === 2) return;
      this.latest.delete(pair);
      if (time >= now) this.latest.set(pair, time);
    }
  }
}

/** The name of a queued act of a kind that is identified by time. */
export function pairAt(user: Key, item: Key, event_type: number, time: number): string {
  return `${user} ${item} ${event_type} \0${time}`;
}

/** Whether a time was given and is not ahead of the clock. Otherwise the time of writing counts. */
export function isPast(timestamp: number | undefined, applied_at: number): boolean {
  return timestamp !== undefined && timestamp <= applied_at;
}
