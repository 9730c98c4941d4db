import { StartupError } from '../errors.ts';
import type { EventType } from '../model/acts.ts';
import type { FeedType } from '../plugin/index.ts';
import { Baselines, REPLAY_BASELINES } from './baselines.ts';
import { Reenactment } from './community.ts';
import type { Contestant } from './contestant.ts';
import { pageWorth, rankWorth } from './metrics.ts';
import { progressed, type Stage, seedOf } from './protocol.ts';
import { type Evaluation, Scoreboard } from './scoreboard.ts';
import { findTargets, sampled, withholdViews } from './targets.ts';
import type { Timeline } from './timeline.ts';

export interface ReplayOptions {
  /** Start of the evaluation: seconds, or a share of all acts. */
  from: { time: number } | { share: number };
  /** Types of acts to predict. */
  events: ReadonlySet<EventType>;
  feed_type: FeedType;
  contestants: readonly Contestant[];
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
  const scores = new Scoreboard('replay', options.contestants, REPLAY_BASELINES, top_k);
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
    const position = { index, total: targets.length };
    for (const { contestant, score } of scores.served) {
      const ask = () => replayed.ask(feed_type, { ...request, ...contestant.request });
      const page = await score.times.measure(ask, position);
      score.add({ unit: user, page, worth: pageWorth(page, new Set([item]), top_k) }, popularityOf);
    }
    if (community.lessons.has_signals) await replayed.show();
    for (const { name, score } of scores.simple) {
      const worth = rankWorth(baselines.rank(name, user, item), top_k);
      score.add({ unit: user, worth, page: baselines.page(name, user, top_k) }, popularityOf);
    }
    await progressed(stage, index + 1, targets.length);
  }
  const about = `${count(targets.length)} pages of ${count(users.size)} users`;
  return { data, about, ...scores.result(seed, baselines.items.length) };
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
