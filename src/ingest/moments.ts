import { LIMITS } from '../limits.ts';
import { type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { roundToMs } from '../state/time.ts';
import type { UnderWay } from './under-way.ts';

/** Milliseconds are what tells acts apart. */
const TICK_SECONDS = 0.001;

/**
 * Gives acts that are told apart by time, and come without one, a moment that is theirs alone: now, and later than
 * what was last given to an act of the same user and item, so that they happen in the order in which they came.
 */
export class Moments {
  /** By pair the latest moment that was given, the longest unlooked at first. */
  private readonly latest = new Map<string, number>();

  constructor(
    private readonly state: State,
    private readonly under_way: UnderWay,
  ) {}

  /**
   * The moment of an act, to the millisecond. One that lies too far ahead of now to be told apart is not given
   * away: it is for the caller to refuse. Amortised O(1).
   * @param event_type code of a kind that is told apart by time
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

  /** What was queued will not come: pairs of which one was never named have had no act, and their keys go to others. */
  reset(): void {
    const { users, items } = this.state;
    for (const pair of this.latest.keys()) {
      const [user, item] = pair.split(' ').map(Number);
      if (users.names.ordinal(user) === NONE || items.names.ordinal(item) === NONE) this.latest.delete(pair);
    }
  }

  /** Whether such an act is known to have happened at a time, or is about to be. */
  private isKnown(user: Key, item: Key, event_type: number, time: number): boolean {
    if (this.under_way.fact(pairAt(user, item, event_type, time)) !== undefined) return true;
    const { users, items, interactions } = this.state;
    const [one, other] = [users.names.ordinal(user), items.names.ordinal(item)];
    if (one === NONE || other === NONE) return false;
    return interactions.stands({ user: one, item: other, event_type, add: true, time, event_id: '' });
  }

  /** Pings at two, so that what is past goes faster than what comes; what is not past yet is looked at again. */
  private forgetBefore(now: number): void {
    let looked_at = 0;
    for (const [pair, time] of this.latest) {
      if (looked_at++ === 2) return;
      this.latest.delete(pair);
      if (time >= now) this.latest.set(pair, time);
    }
  }
}

/** What is under way goes by this name where acts are told apart by time. */
export function pairAt(user: Key, item: Key, event_type: number, time: number): string {
  return `${user} ${item} ${event_type} \0${time}`;
}

/** A time was given and is not ahead of the clock; one that is counts as the moment of writing, as none does. */
export function isPast(timestamp: number | undefined, applied_at: number): boolean {
  return timestamp !== undefined && timestamp <= applied_at;
}
