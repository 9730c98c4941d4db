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

interface AccountUse {
  arms: number[];
  longest_window_seconds: number;
}

interface OpenArm {
  account: string;
  window_seconds: number;
}

interface SharedLimits {
  viewers_max: number;
  exposures_max: number;
}

const SHARED_LIMITS: SharedLimits = {
  viewers_max: LIMITS.experiment_viewers_max,
  exposures_max: LIMITS.experiment_exposures_max,
};

/**
 * All experiments, and what the viewers of the running ones did: a fold over the stored changes.
 *
 * Memory is shared by all accounts. An account may use as much as it leaves free, so however many accounts use all they
 * can, there is room for another one (Choudhury, Hahne: Dynamic queue length thresholds, IEEE/ACM Transactions on
 * Networking 1998).
 */
export class Experiments {
  /** Not part of a checkpoint. */
  static readonly transient = ['limits'];
  private readonly contents = new Map<number, ExperimentContent>();
  private readonly by_feed = new Map<string, number>();
  private readonly arms = new Map<number, OpenArm>();
  /** Accounts with running experiments. */
  private readonly accounts = new Map<string, AccountUse>();
  private readonly viewers: VariantViewers;
  private readonly exposures: Exposures;
  /** The highest number and arm ever assigned. */
  highest_number = 0;
  highest_arm = 0;

  constructor(
    act_types: number,
    private readonly limits: SharedLimits = SHARED_LIMITS,
  ) {
    this.viewers = new VariantViewers(act_types);
    this.exposures = new Exposures(limits.exposures_max);
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

  runningOn(feed_id: string): number | undefined {
    return this.by_feed.get(feed_id);
  }

  /** The number of running experiments of an account. O(experiments). */
  runningCount(account: string): number {
    let running = 0;
    for (const content of this.contents.values())
      if (content.account === account && content.status === 'running') running++;
    return running;
  }

  /** Whether further viewers of an account's experiments find no room and are not counted. */
  isFull(account: string): boolean {
    return !this.hasRoom(account);
  }

  /**
   * Whether a page that an arm decides is counted. False for a new viewer whose account has no room.
   *
   * The leader asks before it stores the page, and stores one that is not counted without its arm. The fold then counts
   * every stored arm, so a fold over fewer rows, such as after a purge, counts the same viewers.
   */
  counts(arm: number, user: Key): boolean {
    const open = this.arms.get(arm);
    return open === undefined || this.viewers.find(arm, user) !== NONE || this.hasRoom(open.account);
  }

  /** Viewers that are counted, and shown items that are known. */
  get sizes(): { viewers: number; exposures: number } {
    return { viewers: this.viewers.size, exposures: this.exposures.size };
  }

  isOpen(arm: number): boolean {
    return this.arms.has(arm);
  }

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
    if (this.arms.size === 0) return [];
    const attributed: number[] = [];
    for (const row of this.viewers.rowsOf(user)) {
      const arm = this.viewers.armOf(row);
      const open = this.arms.get(arm);
      if (open === undefined) continue;
      const shown_at = this.exposures.lastBefore(open.account, this.viewers.latestExposure(row), item, time);
      if (shown_at !== undefined && time - shown_at <= open.window_seconds) attributed.push(arm);
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
    const account = this.arms.get(arm)?.account;
    if (account === undefined) return;
    const row = this.viewers.findOrAdd(arm, user);
    this.viewers.countPage(row, items.length, is_short === 1, timestamp);
    const { longest_window_seconds = 0 } = this.accounts.get(account) ?? {};
    this.exposures.expire(account, Math.floor(applied_at) - longest_window_seconds);
    let latest = this.viewers.latestExposure(row);
    for (const item of items) latest = this.exposures.add(account, item, timestamp, latest);
    this.viewers.setLatestExposure(row, latest);
  }

  countOutcome({ user, arm, event_type }: OutcomeChange): void {
    const row = this.arms.has(arm) ? this.viewers.find(arm, user) : NONE;
    if (row !== NONE) this.viewers.countAct(row, event_type);
  }

  erase(user: Key): void {
    for (const arm of this.arms.keys()) this.viewers.erase(arm, user);
  }

  private hasRoom(account: string): boolean {
    const { arms } = this.accounts.get(account) ?? { arms: [] };
    const used = arms.reduce((sum, arm) => sum + this.viewers.countOf(arm), 0);
    return used < this.limits.viewers_max - this.viewers.size;
  }

  /** Works out the running experiments and their arms again. O(experiments + viewers). */
  private arrange(): void {
    const former = [...this.arms.keys()];
    this.by_feed.clear();
    this.arms.clear();
    this.accounts.clear();
    for (const [number, { account, status, feed_id, attribution_hours, variants }] of this.contents) {
      if (status !== 'running') continue;
      const window_seconds = attribution_hours * SECONDS_PER_HOUR;
      const use = this.accounts.get(account) ?? { arms: [], longest_window_seconds: 0 };
      this.accounts.set(account, use);
      use.longest_window_seconds = Math.max(use.longest_window_seconds, window_seconds);
      this.by_feed.set(feed_id, number);
      for (const { arm } of variants) {
        use.arms.push(arm);
        this.arms.set(arm, { account, window_seconds });
      }
    }
    const kept = former.every((arm) => this.arms.has(arm));
    if (!kept) this.viewers.keepArms((arm) => this.arms.has(arm));
    this.exposures.keepAccounts((account) => this.accounts.has(account));
  }
}
