import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { FeedType } from '../plugin/index.ts';
import { Baselines, GENERAL_BASELINES } from './baselines.ts';
import { Reenactment } from './community.ts';
import type { Contestant } from './contestant.ts';
import { type HeldOut, heldOutByFile, heldOutOfHistory } from './held-out.ts';
import { HeldOutAges } from './held-out-ages.ts';
import { pageWorth } from './metrics.ts';
import { progressed, type Stage, seedOf, type TestFile } from './protocol.ts';
import type { Score } from './score.ts';
import { type Evaluation, Scoreboard } from './scoreboard.ts';
import { sampled } from './targets.ts';

export interface HoldoutOptions {
  /** The acts to predict: those of a file, or the last share of each user's own. */
  held_out: { test: TestFile } | { share: number };
  feed_type: FeedType;
  contestants: readonly Contestant[];
  top_k: number;
  /** Number of users to evaluate. Undefined: all. */
  sample?: number;
  seed: number;
}

/** A user and the held-out items to find. */
interface Question {
  user: number;
  relevant: Set<number>;
}

/**
 * Imports everything else and builds one page for each user with held-out items who has a history.
 *
 * Relevant are the held-out items of the user. Items that the user has engaged with are neither shown nor relevant.
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateHoldout(stage: Stage, options: HoldoutOptions): Promise<Evaluation> {
  const { timeline, community, data, log } = stage;
  const { top_k, seed, feed_type } = options;
  const { held_out: source } = options;
  // Before acts are taken out, so that the items of the last acts exist.
  const end_time = timeline.end(systemClock.now());
  const held_out =
    'test' in source
      ? await heldOutByFile(timeline, source.test, log)
      : heldOutOfHistory(timeline, source.share, seed);
  const end = timeline.at(end_time);
  const ages = new HeldOutAges(timeline, end.time);
  for (const { item, acted_at } of held_out) ages.add(item, acted_at);
  const baselines = new Baselines(timeline, seed);
  baselines.advance(end);
  const questions = sampled(questionsOf(held_out, baselines), options.sample, seed);
  if (questions.length === 0) throw nothingToAsk(data, source);
  const scores = new Scoreboard('holdout', options.contestants, GENERAL_BASELINES, top_k);
  const replayed = new Reenactment(community, timeline, log);
  await replayed.begin(end, stage.onProgress);
  const popularityOf = (item: number) => baselines.interactions(item);
  for (const [index, { user, relevant }] of questions.entries()) {
    const request = { user_id: timeline.users.id(user), top_k, seed: seedOf(seed, index) };
    const judge = (score: Score, page: readonly number[]) =>
      score.add({ unit: user, page, worth: pageWorth(page, relevant, top_k) }, popularityOf);
    for (const { contestant, score } of scores.served) {
      const ask = () => replayed.ask(feed_type, { ...request, ...contestant.request });
      judge(score, await score.times.measure(ask, { index, total: questions.length }));
    }
    for (const { name, score } of scores.simple) judge(score, baselines.page(name, user, top_k));
    await progressed(stage, index + 1, questions.length);
  }
  const about = [`${questions.length.toLocaleString('en-US')} users`, ...ages.about].join('\n');
  const { advice } = ages;
  return { data, about, advice, ...scores.result(seed, baselines.items.length) };
}

function questionsOf(held_out: readonly HeldOut[], baselines: Baselines): Question[] {
  const questions: Question[] = [];
  for (const [user, acts] of Map.groupBy(held_out, (act) => act.user)) {
    const history = baselines.history(user);
    const relevant = new Set(acts.map(({ item }) => item)).difference(history);
    if (history.size > 0 && relevant.size > 0) questions.push({ user, relevant });
  }
  return questions;
}

function nothingToAsk(data: string, source: HoldoutOptions['held_out']): StartupError {
  const problem =
    'test' in source
      ? `no user of '${source.test.name}' has both a history in '${data}' and something new in the test file`
      : `no user of '${data}' has acted on two items`;
  return new StartupError('nothing_to_evaluate', problem);
}
