import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { defaultScoring } from '../feeds/compile-feed.ts';
import { ACTIVE_FILTER, type ActiveItems } from './active-items.ts';
import { Baselines, GENERAL_BASELINES } from './baselines.ts';
import { Reenactment } from './community.ts';
import { rankingWorth } from './metrics.ts';
import { progressed, type Stage, seedOf, takingTurns } from './protocol.ts';
import { type Evaluation, RankingScore } from './scoreboard.ts';
import { Tally } from './tally.ts';
import type { Timeline } from './timeline.ts';

export interface TrendingOptions {
  /** The first step, seconds. */
  from: number;
  /** From step to step, seconds. */
  every: number;
  /** How far ahead gains are counted, seconds. */
  horizon: number;
  /** Items compete that had engagement not longer ago than this, seconds. */
  active_within: number;
  /** Ids of scoring functions. */
  scoring: readonly string[];
  top_k: number;
  seed: number;
}

const FEED_TYPE = 'trending';

/**
 * Lives through the data and ranks, at each step, the items that are active then: which gain most until the
 * horizon? Steps that reach beyond the data, and those without any gain, are skipped.
 * @param active its plugin is loaded
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateTrending(
  stage: Stage,
  active: ActiveItems,
  options: TrendingOptions,
): Promise<Evaluation> {
  const { timeline, community, data, log } = stage;
  const { top_k, seed } = options;
  const served = options.scoring.map((id) => ({ id, score: new RankingScore(rowName(id), false) }));
  const simple = GENERAL_BASELINES.map((name) => ({ name, score: new RankingScore(name, true) }));
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
      for (const { id, score } of takingTurns(served, asked++)) {
        const { page, took_us } = await replayed.ask(FEED_TYPE, { ...request, scoring: id });
        score.add(rankingWorth(page, gained, top_k), took_us);
      }
      for (const { name, score } of simple)
        score.add(rankingWorth(baselines.ranked(name, items, top_k), gained, top_k));
    }
    await progressed(stage, index + 1, steps.length);
  }
  if (asked === 0) throw nothingGained();
  const about = `${asked.toLocaleString('en-US')} of ${steps.length.toLocaleString('en-US')} steps`;
  const rows = [...served, ...simple].map(({ score }) => score.row);
  return { protocol: 'trending', data, top_k, rows, about };
}

/** The feed as it is by default goes by its type. */
function rowName(scoring: string): string {
  return scoring === defaultScoring(FEED_TYPE) ? FEED_TYPE : scoring;
}

/** The moments of all steps whose horizon the data still covers. */
function stepsOf(timeline: Timeline, { from, every, horizon }: TrendingOptions): number[] {
  const end = timeline.end(systemClock.now());
  const steps: number[] = [];
  for (let step = 0; from + step * every + horizon <= end; step++) steps.push(from + step * every);
  return steps;
}

/** Items with an act or a count later than `within` seconds ago, in order of their first. */
function activeItems({ acts, counts }: Timeline, now: number, within: number): number[] {
  const active = new Set<number>();
  for (let at = acts.until(now - within); at < acts.until(now); at++) {
    if (acts.delta(at) !== 0) active.add(acts.item[at]);
  }
  for (let at = counts.until(now - within); at < counts.until(now); at++) active.add(counts.item[at]);
  return [...active];
}

/** What items gain from a moment to the horizon. */
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
   * Where a source has counted an item's likes by now: how much more it counted last before the horizon than last
   * before now. What users did in between is left to it: an item that it does not count again gains nothing, however
   * many act on it. Where there is no count yet, also if there will be one until then: the number of acts. Never
   * below 0.
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
