import { StartupError } from '../errors.ts';
import type { EventType } from '../model/acts.ts';
import type { FeedType } from '../plugin/index.ts';
import { Baselines, REPLAY_BASELINES } from './baselines.ts';
import { Reenactment } from './community.ts';
import { pageWorth, rankWorth } from './metrics.ts';
import { progressed, type Stage, seedOf, takingTurns } from './protocol.ts';
import { type Evaluation, pageScores, type Row } from './scoreboard.ts';
import { findTargets, sampled, withholdViews } from './targets.ts';
import type { Timeline } from './timeline.ts';

export interface ReplayOptions {
  /** Start of the evaluation: seconds, or a share of all acts. */
  from: { time: number } | { share: number };
  /** Types of acts to predict. */
  events: ReadonlySet<EventType>;
  feed_type: FeedType;
  scoring: readonly string[];
  top_k: number;
  /** Number of acts to evaluate. Undefined: all. */
  sample?: number;
  seed: number;
}

/**
 * Replays the data and builds a page right before each user's first act on an item. The item should be on the page.
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateReplay(stage: Stage, options: ReplayOptions): Promise<Evaluation> {
  const { timeline, community, data, log } = stage;
  const { top_k, seed, feed_type } = options;
  const { acts } = timeline;
  const from = withholdViews(timeline, options.events, firstAct(timeline, options.from));
  const targets = sampled(findTargets(acts, options.events, from), options.sample, seed);
  if (targets.length === 0) throw nothingToAsk(options.events);
  const scores = pageScores(options.scoring, REPLAY_BASELINES, top_k);
  const baselines = new Baselines(timeline, seed);
  const replayed = new Reenactment(community, timeline, log);
  const popularityOf = (item: number) => baselines.interactions(item);
  const users = new Set<number>();
  await replayed.begin(timeline.before(targets[0]), stage.onProgress);
  for (const [index, act] of targets.entries()) {
    const user = acts.user[act];
    users.add(user);
    const item = acts.item[act];
    const moment = timeline.before(act);
    await replayed.advance(moment);
    baselines.advance(moment);
    const request = { user_id: timeline.users.id(user), top_k, seed: seedOf(seed, index) };
    for (const score of takingTurns(scores.served, index)) {
      const asked = await replayed.ask(feed_type, { ...request, scoring: score.name });
      score.add({ user, worth: pageWorth(asked.page, new Set([item]), top_k), ...asked }, popularityOf);
    }
    for (const { name, score } of scores.simple) {
      const worth = rankWorth(baselines.rank(name, user, item), top_k);
      score.add({ user, worth, page: baselines.page(name, user, top_k) }, popularityOf);
    }
    await progressed(stage, index + 1, targets.length);
  }
  const rows = scores.rows(baselines.items.length).map(withoutRecall);
  const about = `${count(targets.length)} pages of ${count(users.size)} users`;
  return { protocol: 'replay', data, top_k, rows, about };
}

/** Recall is left out: with a single relevant item it equals the hit rate. */
function withoutRecall({ recall: _, ...row }: Row): Row {
  return row;
}

function firstAct({ acts }: Timeline, from: ReplayOptions['from']): number {
  if ('share' in from) return Math.floor(acts.length * from.share);
  return acts.before(from.time);
}

function nothingToAsk(events: ReadonlySet<EventType>): StartupError {
  return new StartupError(
    'nothing_to_evaluate',
    `from then on, no user with two earlier interactions does one of ${[...events].join(', ')} with an item for the first time`,
    'Choose another --from, --from-share or --events.',
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
