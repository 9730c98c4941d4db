import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { FeedType } from '../plugin/index.ts';
import { Baselines, GENERAL_BASELINES } from './baselines.ts';
import { Reenactment } from './community.ts';
import { HeldOutAges } from './held-out-ages.ts';
import { pageWorth } from './metrics.ts';
import { progressed, type Stage, seedOf, type TestFile } from './protocol.ts';
import { type Evaluation, pageScores } from './scoreboard.ts';
import { sampled } from './targets.ts';
import { readRecords } from './timeline.ts';

export interface HoldoutOptions {
  test: TestFile;
  feed_type: FeedType;
  scoring: readonly string[];
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
 * Imports everything and builds one page for each user of the test file who has a history.
 *
 * Relevant are the held-out items of the user. Items that the user has engaged with are neither shown nor relevant.
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateHoldout(stage: Stage, options: HoldoutOptions): Promise<Evaluation> {
  const { timeline, community, data, log } = stage;
  const { top_k, seed, feed_type } = options;
  const end = timeline.at(timeline.end(systemClock.now()));
  const ages = new HeldOutAges(timeline, end.time);
  const relevant = await readRelevant(stage, options.test, ages);
  const baselines = new Baselines(timeline, seed);
  baselines.advance(end);
  const questions = sampled(questionsOf(relevant, baselines), options.sample, seed);
  if (questions.length === 0) {
    throw new StartupError(
      'nothing_to_evaluate',
      `no user of '${options.test.name}' has both a history in '${data}' and something new in the test file`,
    );
  }
  const { served, simple, rows } = pageScores(options.scoring, GENERAL_BASELINES, top_k);
  const replayed = new Reenactment(community, timeline, log);
  await replayed.begin(end, stage.onProgress);
  const popularityOf = (item: number) => baselines.interactions(item);
  for (const [index, { user, relevant }] of questions.entries()) {
    const request = { user_id: timeline.users.id(user), top_k, seed: seedOf(seed, index) };
    for (const score of served) {
      const asked = await replayed.ask(feed_type, { ...request, scoring: score.name });
      score.add({ user, worth: pageWorth(asked.page, relevant, top_k), ...asked }, popularityOf);
    }
    for (const { name, score } of simple) {
      const page = baselines.page(name, user, top_k);
      score.add({ user, page, worth: pageWorth(page, relevant, top_k) }, popularityOf);
    }
    await progressed(stage, index + 1, questions.length);
  }
  const about = [`${questions.length.toLocaleString('en-US')} users`, ...ages.about].join('\n');
  const { advice } = ages;
  return { protocol: 'holdout', data, top_k, rows: rows(baselines.items.length), about, advice };
}

async function readRelevant(
  { timeline, log }: Stage,
  test: TestFile,
  ages: HeldOutAges,
): Promise<Map<number, Set<number>>> {
  const relevant = new Map<number, Set<number>>();
  await readRecords(test, log, (entry) => {
    if (entry.kind !== 'interactions') return;
    const { user_id, item_id, event_type, action, timestamp } = entry.record;
    if (action === 'remove' || event_type === 'hide' || event_type === 'report') return;
    const user = timeline.users.find(user_id);
    if (user === undefined) return;
    const items = relevant.get(user) ?? new Set();
    const item = timeline.items.add(item_id);
    relevant.set(user, items.add(item));
    ages.add(item, timestamp);
  });
  return relevant;
}

function questionsOf(relevant: ReadonlyMap<number, ReadonlySet<number>>, baselines: Baselines): Question[] {
  const questions: Question[] = [];
  for (const [user, items] of relevant) {
    const history = baselines.history(user);
    const fresh = items.difference(history);
    if (history.size > 0 && fresh.size > 0) questions.push({ user, relevant: fresh });
  }
  return questions;
}
