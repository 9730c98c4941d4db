import { compileFeed } from '../../feeds/compile-feed.ts';
import type { BoundScoring } from '../../feeds/compiled-feed.ts';
import { logitOf } from '../../page/learnt.ts';
import type { FeedType } from '../../plugin/index.ts';
import { expectNumbers } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { isStandIn } from '../other-signals.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { each, nameOf, perItem, type Trial, valuesOf } from '../trials.ts';

/** Relative tolerance for comparing numbers. */
const ROUNDING = 1e-9;

export const scoring_functions: KindTests<'scoring_functions'> = {
  invariants(subject, id) {
    const registered = subject.extension('scoring_functions', id);
    const check = (run: (trial: Trial & BoundScoring) => void) =>
      each(subject, registered, (options) => compiled(subject, id, options), run);
    return [
      ...perItem('returns for every item a finite number of at least 0', check),
      { name: 'scores no item above its ceiling', run: check(checkCeiling) },
      {
        name: 'orders a feed',
        run: check(
          ({ world, options }) => void world.shownBy(feedOf(subject, id), { scoring: { name: id, options } }),
        ),
      },
      { name: 'returns parts that add up to the score', run: check(checkParts) },
      {
        name: 'uses only the signals that it declares',
        run: check((trial) => checkSignals(subject, id, trial)),
      },
      {
        name: 'orders items like the signal in ranked_by',
        run: check((trial) => checkRanking(subject, id, trial)),
      },
    ];
  },
  run(subject, id, given) {
    const world = subject.enter(given);
    const { bind } = compiled(subject, id, given.options);
    expectNumbers(world, valuesOf({ world, bind }), given.expect);
  },
};

/** The scoring function as a feed has it. @throws ServiceError if the options are rejected */
function compiled(subject: PluginUnderTest, id: string, options: unknown): BoundScoring {
  return compileFeed(subject.registry, feedOf(subject, id), { scoring: { name: id, options } }).scoring;
}

/** The first type of feed that may use it. */
function feedOf(subject: PluginUnderTest, id: string): FeedType {
  const { feeds: [feed_type] = ['for-you'] } = subject.extension('scoring_functions', id).extension;
  return feed_type;
}

function checkCeiling(trial: Trial & BoundScoring): void {
  const { world } = trial;
  const ceiling = trial.ceiling?.(world.request());
  if (ceiling === undefined) return;
  for (const [item, score] of valuesOf(trial)) {
    const most = ceiling(item);
    if (Number(score) <= most) continue;
    throw new Error(`${nameOf(world, item)}: its score is ${Number(score)}, its ceiling ${most}`);
  }
}

function checkParts(trial: Trial & BoundScoring): void {
  const { world } = trial;
  const parts = trial.parts?.(world.request());
  if (parts === undefined) return;
  for (const [item, value] of valuesOf(trial)) {
    const score = trial.learning === undefined ? Number(value) : logitOf(Number(value));
    const sum = Object.values(parts(item)).reduce((total, part) => total + part, 0);
    if (Math.abs(sum - score) <= ROUNDING * Math.max(1, Math.abs(score))) continue;
    throw new Error(
      `${nameOf(world, item)}: its parts add up to ${sum}, its score${trial.learning ? ', as a logarithm of odds,' : ''} is ${score}`,
    );
  }
}

function checkSignals({ conduct }: PluginUnderTest, id: string, trial: Trial & BoundScoring): void {
  const { signals } = trial;
  if (signals === undefined) return;
  conduct.signals.delete(id);
  valuesOf(trial);
  const unnamed = [...(conduct.signals.get(id) ?? [])].find((signal) => !signals.includes(signal));
  if (unnamed !== undefined) throw new Error(`it uses '${unnamed}', which its signals leave out`);
}

/**
 * Checks that no item with a higher score comes later in the ranking.
 *
 * Items with equal scores may have any order, since any of them may come first.
 */
function checkRanking(subject: PluginUnderTest, id: string, trial: Trial): void {
  const { ranked_by } = subject.extension('scoring_functions', id).extension;
  if (ranked_by === undefined) return;
  const { world } = trial;
  const page = world.request();
  subject.conduct.signals.delete(id);
  const scores = [...valuesOf(trial, page)].map(([item, score]) => [item, Number(score)] as const);
  // The values of a signal that is not loaded are unknown, so its order cannot be checked.
  if (isStandIn(subject.signal(ranked_by)) && !subject.conduct.signals.get(id)?.has(ranked_by)) return;
  const rank = page.signal(ranked_by);
  for (const [one, score] of scores) {
    const worse = scores.find(
      ([other, least]) => score - least > ROUNDING * score && !(rank(one) > rank(other)),
    );
    if (worse === undefined) continue;
    const [other, least] = worse;
    throw new Error(
      `${nameOf(world, one)} scores ${score}, ${nameOf(world, other)} ${least}, but by '${ranked_by}' the first is not before the second (${rank(one)}, ${rank(other)})`,
    );
  }
}
