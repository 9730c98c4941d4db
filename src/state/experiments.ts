import type { ExperimentChange } from '../model/changes/experiment.ts';
import type { ExperimentContent } from '../model/experiment-content.ts';
import { pointOf, variantAt } from './assignment.ts';

/** Acts dated so long before a period are not stored for it: no page of the period is dated earlier. */
const BACKDATED_SECONDS_MAX = 86_400;

/** All experiments: a fold over the stored changes. */
export class Experiments {
  private readonly contents = new Map<number, ExperimentContent>();
  /** The running experiment of each feed. */
  private readonly by_feed = new Map<string, number>();
  /** The highest number and arm ever assigned. */
  highest_number = 0;
  highest_arm = 0;

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

  /** The running experiments, in no particular order. */
  running(): ExperimentContent[] {
    return [...this.by_feed.values()].flatMap((number) => this.contents.get(number) ?? []);
  }

  runningOn(feed_id: string): number | undefined {
    return this.by_feed.get(feed_id);
  }

  /** Whether an arm belongs to a running period. */
  isOpen(arm: number): boolean {
    return this.running().some(({ variants }) => variants.some((variant) => variant.arm === arm));
  }

  /**
   * The arms to which running experiments assign a viewer. O(running experiments).
   * @param time of an act, in seconds. Periods that began long after it are left out
   */
  assignedArms(viewer_id: string, time: number): number[] {
    if (this.by_feed.size === 0) return [];
    return this.running().flatMap(({ variants, salt, period_started_at }) =>
      time < period_started_at - BACKDATED_SECONDS_MAX
        ? []
        : (variantAt(variants, pointOf(salt, viewer_id))?.arm ?? []),
    );
  }

  /** The point of a viewer in the running experiment that has an arm. 0 if there is none. */
  pointIn(arm: number, viewer_id: string): number {
    const content = this.running().find(({ variants }) => variants.some((variant) => variant.arm === arm));
    return content === undefined ? 0 : pointOf(content.salt, viewer_id);
  }

  /** Applies a new version of an experiment, or its deletion. O(experiments). */
  set({ experiment, content }: ExperimentChange): void {
    this.highest_number = Math.max(this.highest_number, experiment);
    for (const { arm } of content.variants) this.highest_arm = Math.max(this.highest_arm, arm);
    if (content.operation === 'delete') this.contents.delete(experiment);
    else this.contents.set(experiment, content);
    this.by_feed.clear();
    for (const [number, { status, feed_id }] of this.contents)
      if (status === 'running') this.by_feed.set(feed_id, number);
  }
}
