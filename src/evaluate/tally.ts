import { NONE } from '../state/change.ts';
import type { Timeline } from './timeline.ts';

/** How much engagement items have had at some moment of a timeline, which only moves forward. */
export class Tally {
  private acts_at = 0;
  private counts_at = 0;
  private readonly acts: Float64Array;
  /** Likes as their source counted them last; NONE before the first count. */
  private readonly likes: Float64Array;

  constructor(private readonly timeline: Timeline) {
    this.acts = new Float64Array(timeline.items.size);
    this.likes = new Float64Array(timeline.items.size).fill(NONE);
  }

  /** Takes in every count up to `time` (seconds) and the first `acts_end` acts. */
  advance(time: number, acts_end = this.timeline.acts.until(time)): void {
    const { acts, counts } = this.timeline;
    for (; this.acts_at < acts_end; this.acts_at++)
      this.acts[acts.item[this.acts_at]] += acts.delta(this.acts_at);
    for (; this.counts_at < counts.length && counts.time[this.counts_at] <= time; this.counts_at++) {
      const likes = counts.likes(this.counts_at);
      if (likes !== NONE) this.likes[counts.item[this.counts_at]] = likes;
    }
  }

  /** A source has counted the item's likes. */
  counted(item: number): boolean {
    return this.likes[item] !== NONE;
  }

  /** Likes where a source counts them, else what users did. */
  points(item: number): number {
    return this.counted(item) ? this.likes[item] : this.acts[item];
  }

  /** What users did with the item. */
  interactions(item: number): number {
    return this.acts[item];
  }
}
