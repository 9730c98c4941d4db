import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { defaultScoring } from '../feeds/compile-feed.ts';
import { ACTIVE_FILTER, type ActiveItems } from './active-items.ts';
import { Baselines, GENERAL_BASELINES } from './baselines.ts';
import { Reenactment } from './community.ts';
import type { Contestant } from './contestant.ts';
import { rankingWorth } from './metrics.ts';
import { progressed, type Stage, seedOf } from './protocol.ts';
import type { Score } from './score.ts';
import { type Evaluation, Scoreboard } from './scoreboard.ts';
import { Tally } from './tally.ts';
import type { Timeline } from './timeline.ts';

export interface TrendingOptions {
  /** Time of the first step, seconds. */
  from: number;
  /** Time between two steps, seconds. */
  every: number;
  /** Time span in which gains are counted, seconds. */
  horizon: number;
  /** An item competes if it had engagement within this time span, seconds. */
  active_within: number;
  contestants: readonly Contestant[];
  top_k: number;
  seed: number;
}

const FEED_TYPE = 'trending';

/**
 * Replays the data and ranks the active items at each step. The items that gain most until the horizon should lead.
 *
 * Steps whose horizon is beyond the data, and steps without any gain, are skipped.
 * @param active filter of active items; its plugin must be loaded
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateTrending(
  stage: Stage,
  active: ActiveItems,
  options: TrendingOptions,
): Promise<Evaluation> {
  const { timeline, community, data, log } = stage;
  const { top_k, seed } = options;
  const contestants = options.contestants.map((one) => ({ ...one, name: rowName(one.name) }));
  const scores = new Scoreboard('trending', contestants, GENERAL_BASELINES, top_k);
  const baselines = new Baselines(timeline, seed);
  const gains = new Gains(timeline, options.horizon);
  const replayed = new Reenactment(community, timeline, log);
  const steps = stepsOf(timeline, options);
  let asked = 0;
  if (steps.length > 0) await replayed.begin(timeline.at(steps[0]), stage.onProgress);
  for (const [index, now] of steps.entries()) {
    const moment = timeline.at(now);
    baselines.advance(moment);
    const active_items = activeItems(timeline, now, options.active_within);
    const items = active_items.filter((item) => baselines.exists(item));
    const gained = gains.at(now, items);
    if (gained.size > 0 && Math.max(...gained.values()) > 0) {
      await replayed.advance(moment);
      active.set(items.map((item) => timeline.items.id(item)));
      const request = { top_k, seed: seedOf(seed, index), filters: { [ACTIVE_FILTER]: true } };
      const position = { index: asked++, total: steps.length };
      const judge = (score: Score, page: readonly number[]) =>
        score.add({ unit: index, page, worth: rankingWorth(page, gained, top_k) }, () => 0);
      for (const { contestant, score } of scores.served) {
        const ask = () => replayed.ask(FEED_TYPE, { ...request, ...contestant.request });
        judge(score, await score.times.measure(ask, position));
      }
      for (const { name, score } of scores.simple) judge(score, baselines.ranked(name, items, top_k));
    }
    await progressed(stage, index + 1, steps.length);
  }
  if (asked === 0) throw nothingGained();
  const about = `${asked.toLocaleString('en-US')} of ${steps.length.toLocaleString('en-US')} steps`;
  return { data, about, ...scores.result(seed) };
}

/** The default scoring function is shown by the feed type. */
function rowName(name: string): string {
  return name === defaultScoring(FEED_TYPE) ? FEED_TYPE : name;
}

/** Times of all steps whose horizon is within the data. */
function stepsOf(timeline: Timeline, { from, every, horizon }: TrendingOptions): number[] {
  const end = timeline.end(systemClock.now());
  const steps: number[] = [];
  for (let step = 0; from + step * every + horizon <= end; step++) steps.push(from + step * every);
  return steps;
}

/** Items with an act or count in the last `within` seconds, in order of their first one. */
function activeItems({ acts, counts }: Timeline, now: number, within: number): number[] {
  const active = new Set<number>();
  for (let at = acts.until(now - within); at < acts.until(now); at++) {
    if (acts.delta(at) !== 0) active.add(acts.item[at]);
  }
  for (let at = counts.until(now - within); at < counts.until(now); at++) active.add(counts.item[at]);
  return [...active];
}

/** Gains of items from a moment to the horizon. */
class Gains {
  private readonly before: Tally;
  private readonly after: Tally;

  constructor(
    private readonly timeline: Timeline,
    private readonly horizon: number,
  ) {
    this.before = new Tally(timeline);
    this.after = new Tally(timeline);
  }

  /**
   * The gain of each item, at least 0.
   *
   * If a source has counted its likes by now: the last count before the horizon minus the last count before now. Acts in
   * between do not matter: without a new count the gain is 0. If there is no count yet, even if there will be one before
   * the horizon: the number of acts.
   */
  at(now: number, items: readonly number[]): Map<number, number> {
    const { timeline, before, after } = this;
    before.advance(timeline.at(now));
    after.advance(timeline.at(now + this.horizon));
    const gainOf = (item: number) =>
      before.counted(item)
        ? after.likes_counted(item) - before.likes_counted(item)
        : after.interactions(item) - before.interactions(item);
    return new Map(items.map((item) => [item, Math.max(0, gainOf(item))]));
  }
}

function nothingGained(): StartupError {
  return new StartupError(
    'nothing_to_evaluate',
    'from then on no active item gains anything',
    'Choose another --from, --horizon or --active-within.',
  );
}
