import { NONE } from '../model/key.ts';
import type { Moment, Timeline } from './timeline.ts';

/** Engagement of items at a moment of a timeline. The moment only moves forward. */
export class Tally {
  private acts_at = 0;
  private counts_at = 0;
  private readonly acts: Float64Array;
  /** Likes in the latest count of the source; NONE before the first count. */
  private readonly likes: Float64Array;
  private readonly counted_at: Float64Array;
  /** For counted items: users whose like is later than the count. */
  private readonly liked_since = new Map<number, Set<number>>();

  constructor(private readonly timeline: Timeline) {
    const { size } = timeline.items;
    this.acts = new Float64Array(size);
    this.likes = new Float64Array(size).fill(NONE);
    this.counted_at = new Float64Array(size);
  }

  /** Applies everything up to a moment. */
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

  /** Whether a source has counted the item's likes. */
  counted(item: number): boolean {
    return this.likes[item] !== NONE;
  }

  /** Likes in the latest count of the source, without later acts; NONE before the first count. */
  likes_counted(item: number): number {
    return this.likes[item];
  }

  /** With a count: its likes plus the users with a later like. Otherwise the number of acts. */
  points(item: number): number {
    if (!this.counted(item)) return this.acts[item];
    return this.likes[item] + (this.liked_since.get(item)?.size ?? 0);
  }

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
