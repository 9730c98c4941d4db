import { LIMITS } from '../limits.ts';
import {
  type ExperimentChange,
  type ImpressionChange,
  type Key,
  NONE,
  type OutcomeChange,
} from './change.ts';
import type { ExperimentContent } from './experiment-content.ts';
import { Exposures } from './exposures.ts';
import { type VariantViewer, VariantViewers } from './variant-viewers.ts';

const SECONDS_PER_HOUR = 3_600;

/** All experiments, and what the viewers of the running ones did: a fold over the stored changes. */
export class Experiments {
  private readonly contents = new Map<number, ExperimentContent>();
  /** The running experiment of a feed. */
  private readonly by_feed = new Map<string, number>();
  /** The arms of running experiments, with their attribution windows in seconds. */
  private readonly arms = new Map<number, number>();
  private readonly viewers: VariantViewers;
  private readonly exposures = new Exposures(LIMITS.experiment_exposures_max);
  private longest_window_seconds = 0;
  /** The highest number and arm ever assigned. */
  highest_number = 0;
  highest_arm = 0;

  /** @param act_types number of the community's types of acts */
  constructor(act_types: number) {
    this.viewers = new VariantViewers(act_types, LIMITS.experiment_viewers_max);
  }

  get(number: number): ExperimentContent | undefined {
    return this.contents.get(number);
  }

  /** Whether an experiment has or had this number, as far as is known. */
  wasUsed(number: number): boolean {
    return number <= this.highest_number;
  }

  /** All experiments by number, oldest first. */
  all(): [number: number, content: ExperimentContent][] {
    return [...this.contents].sort(([one], [other]) => one - other);
  }

  /** The number of the running experiment of a feed. */
  runningOn(feed_id: string): number | undefined {
    return this.by_feed.get(feed_id);
  }

  get running_count(): number {
    return this.by_feed.size;
  }

  /** Whether further viewers find no room and are not counted. */
  get is_full(): boolean {
    return this.viewers.is_full;
  }

  /** Viewers that are counted, and shown items that are known. */
  get sizes(): { viewers: number; exposures: number } {
    return { viewers: this.viewers.size, exposures: this.exposures.size };
  }

  isOpen(arm: number): boolean {
    return this.arms.has(arm);
  }

  /** The keys of the viewers of a variant, in no particular order. O(viewers of all experiments). */
  viewersOf(arm: number): Key[] {
    return this.viewers.usersOf(arm);
  }

  /** What one viewer did under a variant. Undefined if nothing was recorded. */
  viewer(arm: number, user: Key): VariantViewer | undefined {
    return this.viewers.get(arm, user);
  }

  /**
   * The arms under which a viewer was shown an item within their windows before an act.
   *
   * O(arms of the viewer + their latest exposures).
   * @param time of the act, in seconds
   */
  attributedArms(user: Key, item: Key, time: number): number[] {
    if (this.exposures.size === 0) return [];
    const attributed: number[] = [];
    for (const row of this.viewers.rowsOf(user)) {
      const arm = this.viewers.armOf(row);
      const window_seconds = this.arms.get(arm);
      if (window_seconds === undefined) continue;
      const shown_at = this.exposures.lastBefore(this.viewers.latestExposure(row), item, time);
      if (shown_at !== undefined && time - shown_at <= window_seconds) attributed.push(arm);
    }
    return attributed;
  }

  /** Applies a new version of an experiment, or its deletion. */
  set({ experiment, content }: ExperimentChange): void {
    this.highest_number = Math.max(this.highest_number, experiment);
    for (const { arm } of content.variants) this.highest_arm = Math.max(this.highest_arm, arm);
    if (content.operation === 'delete') this.contents.delete(experiment);
    else this.contents.set(experiment, content);
    this.arrange();
  }

  /** Counts a page that a known viewer was shown. */
  countPage({ user, arm = 0, is_short, items, timestamp, applied_at }: ImpressionChange): void {
    if (!this.arms.has(arm)) return;
    const row = this.viewers.findOrAdd(arm, user);
    if (row === NONE) return;
    this.viewers.countPage(row, items.length, is_short === 1, timestamp);
    this.exposures.expire(Math.floor(applied_at) - this.longest_window_seconds);
    let latest = this.viewers.latestExposure(row);
    for (const item of items) latest = this.exposures.add(item, timestamp, latest);
    this.viewers.setLatestExposure(row, latest);
  }

  /** Counts an act of a viewer on an item that they were shown. */
  countOutcome({ user, arm, event_type }: OutcomeChange): void {
    const row = this.arms.has(arm) ? this.viewers.find(arm, user) : NONE;
    if (row !== NONE) this.viewers.countAct(row, event_type);
  }

  /** Forgets a viewer. */
  erase(user: Key): void {
    for (const arm of this.arms.keys()) this.viewers.erase(arm, user);
  }

  /** Works out the running experiments and their arms again. O(experiments + viewers). */
  private arrange(): void {
    const former = [...this.arms.keys()];
    this.by_feed.clear();
    this.arms.clear();
    this.longest_window_seconds = 0;
    for (const [number, { status, feed_id, attribution_hours, variants }] of this.contents) {
      if (status !== 'running') continue;
      const window_seconds = attribution_hours * SECONDS_PER_HOUR;
      this.by_feed.set(feed_id, number);
      for (const { arm } of variants) this.arms.set(arm, window_seconds);
      this.longest_window_seconds = Math.max(this.longest_window_seconds, window_seconds);
    }
    const kept = former.every((arm) => this.arms.has(arm));
    if (!kept) this.viewers.keepArms((arm) => this.arms.has(arm));
    if (this.arms.size === 0) this.exposures.clear();
  }
}
