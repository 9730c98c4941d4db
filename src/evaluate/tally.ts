import { NONE } from '../state/change.ts';
import type { Moment, Timeline } from './timeline.ts';

/** How much engagement items have had at some moment of a timeline, which only moves forward. */
export class Tally {
  private acts_at = 0;
  private counts_at = 0;
  private readonly acts: Float64Array;
  /** Likes as their source counted them last; NONE before the first count. */
  private readonly likes: Float64Array;
  /** When that was, seconds. */
  private readonly counted_at: Float64Array;
  /** Of items that a source counts: who has liked them later than it last did. */
  private readonly liked_since = new Map<number, Set<number>>();

  constructor(private readonly timeline: Timeline) {
    const { size } = timeline.items;
    this.acts = new Float64Array(size);
    this.likes = new Float64Array(size).fill(NONE);
    this.counted_at = new Float64Array(size);
  }

  /** Takes in everything up to a moment. */
  advance(moment: Moment): void {
    const { acts, counts } = this.timeline;
    while (this.acts_at < moment.acts || this.counts_at < moment.counts) {
      const counting =
        this.acts_at === moment.acts ||
        (this.counts_at < moment.counts && counts.time[this.counts_at] <= acts.time[this.acts_at]);
      if (counting) this.takeCount(this.counts_at++);
      else this.takeAct(this.acts_at++);
    }
  }

  /** A source has counted the item's likes. */
  counted(item: number): boolean {
    return this.likes[item] !== NONE;
  }

  /** Likes as the item's source counted them last, whatever users have done since; NONE before its first count. */
  likes_counted(item: number): number {
    return this.likes[item];
  }

  /** Where a source counts likes: those, and one for each user whose like is later; else what users did. */
  points(item: number): number {
    if (!this.counted(item)) return this.acts[item];
    return this.likes[item] + (this.liked_since.get(item)?.size ?? 0);
  }

  /** What users did with the item. */
  interactions(item: number): number {
    return this.acts[item];
  }

  private takeCount(at: number): void {
    const { counts } = this.timeline;
    const likes = counts.likes(at);
    if (likes === NONE) return;
    const item = counts.item[at];
    this.likes[item] = likes;
    this.counted_at[item] = counts.time[at];
    this.liked_since.delete(item);
  }

  private takeAct(at: number): void {
    const { acts } = this.timeline;
    const item = acts.item[at];
    this.acts[item] += acts.delta(at);
    if (!this.counted(item) || acts.event_type(at) !== 'like' || acts.time[at] <= this.counted_at[item])
      return;
    const users = this.liked_since.get(item) ?? new Set();
    this.liked_since.set(item, users);
    if (acts.removes(at)) users.delete(acts.user[at]);
    else users.add(acts.user[at]);
  }
}
