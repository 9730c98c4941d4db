/**
 * Streams interactions in time order. Only items of the last two days are in memory. An item's delays are drawn in
 * increasing order, one from each n-th part of its distribution. So each item is a sorted stream, and a short window
 * over all items is collected and sorted at a time.
 */

import type { Random } from '../../src/clock.ts';
import { EVENT_CODE, EVENT_TYPES } from '../../src/model/acts.ts';
import { type AudienceDrawer, eventOfAct, userOfAct } from './audience.ts';
import type { DailyRhythm } from './daily-rhythm.ts';
import { type Demand, lagOfShare } from './demand.ts';
import type { ItemPlan } from './item-plan.ts';
import type { InteractionRecordInput } from './records.ts';

/** Approximate number of interactions per window. */
const WINDOW_INTERACTIONS = 20_000;
const WINDOWS_MAX = 4_096;
/** Sort keys are `second · 2^26 + position in the window`. */
const POSITIONS = 2 ** 26;

/** An item with remaining interactions. */
interface LiveItem {
  item: number;
  item_id: string;
  acts: Uint32Array;
  /** Index of the next interaction. */
  next: number;
  /** Time of the next interaction, in community time. */
  next_at: number;
}

export interface InteractionSources {
  plan: ItemPlan;
  demand: Demand;
  drawer: AudienceDrawer;
  rhythm: DailyRhythm;
  random: Random;
  /** The first and last instant of the history, in clock seconds. */
  begin: number;
  end: number;
  item_id(item: number): string;
  user_id(user: number): string;
}

/** One window of interactions: parallel columns and an order. */
interface Window {
  owners: LiveItem[];
  positions: number[];
  keys: number[];
}

class InteractionStream {
  private live: LiveItem[] = [];
  private born = 0;

  constructor(private readonly sources: InteractionSources) {}

  /** The unread interactions before `until` (community time), in time order. */
  *before(until: number): Iterable<InteractionRecordInput> {
    this.admit(until);
    const window: Window = { owners: [], positions: [], keys: [] };
    let kept = 0;
    for (const entry of this.live) {
      this.collect(entry, until, window);
      if (entry.next < entry.acts.length) this.live[kept++] = entry;
    }
    this.live.length = kept;
    for (const key of Float64Array.from(window.keys).sort()) {
      const index = key % POSITIONS;
      yield this.record(window.owners[index], window.positions[index], Math.floor(key / POSITIONS));
    }
  }

  private admit(until: number): void {
    const { plan, demand, drawer } = this.sources;
    for (; this.born < plan.count && plan.created[this.born] < until; this.born++) {
      const item = this.born;
      if (demand.counts[item] === 0) continue;
      const acts = drawer.draw(item, demand.counts[item]);
      const entry = { item, item_id: this.sources.item_id(item), acts, next: 0, next_at: 0 };
      entry.next_at = this.timeOf(entry);
      this.live.push(entry);
    }
  }

  /** The time of an item's next interaction. */
  private timeOf(entry: LiveItem): number {
    const { plan, demand, random } = this.sources;
    const share = (demand.reached[entry.item] * (entry.next + random())) / entry.acts.length;
    return plan.created[entry.item] + lagOfShare(share, demand.lag_median_seconds[entry.item]);
  }

  private collect(entry: LiveItem, until: number, window: Window): void {
    const { rhythm, begin, end } = this.sources;
    while (entry.next < entry.acts.length && entry.next_at < until) {
      const at = Math.min(Math.floor(rhythm.toClock(entry.next_at)), Math.floor(end));
      window.keys.push((at - Math.floor(begin)) * POSITIONS + window.owners.length);
      window.owners.push(entry);
      window.positions.push(entry.next++);
      if (entry.next < entry.acts.length) entry.next_at = this.timeOf(entry);
    }
  }

  private record(entry: LiveItem, position: number, seconds: number): InteractionRecordInput {
    const act = entry.acts[position];
    const event = eventOfAct(act);
    const record: InteractionRecordInput = {
      user_id: this.sources.user_id(userOfAct(act)),
      item_id: entry.item_id,
      event_type: EVENT_TYPES[event],
      timestamp: Math.floor(this.sources.begin) + seconds,
    };
    if (event === EVENT_CODE.comment) record.event_id = `comment-${entry.item}-${position}`;
    return record;
  }
}

/** All interactions in time order. Memory: the live items and one window. */
export function* streamInteractions(
  sources: InteractionSources,
  total: number,
): Iterable<InteractionRecordInput> {
  const { rhythm, begin, end } = sources;
  const windows = Math.max(1, Math.min(WINDOWS_MAX, Math.ceil(total / WINDOW_INTERACTIONS)));
  const first = rhythm.toCommunity(begin);
  const span = rhythm.toCommunity(end) - first;
  const interactions = new InteractionStream(sources);
  for (let window = 1; window < windows; window++) {
    yield* interactions.before(first + (span * window) / windows);
  }
  yield* interactions.before(Number.POSITIVE_INFINITY);
}
