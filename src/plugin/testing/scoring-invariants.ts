import type { ScoringFunction } from '../kinds.ts';
import { textOf } from '../text-of.ts';
import { each, measure, nameOf, perItemInvariants, type Trial, trials } from './invariants.ts';
import { isOnTrust } from './known-signals.ts';
import type { Invariant, Subject } from './subject.ts';

/** Relative tolerance for comparing numbers. */
const ROUNDING = 1e-9;

const notAScore = (value: unknown) =>
  typeof value === 'number' && value >= 0 && value < Infinity
    ? undefined
    : 'not a finite number of at least 0';

export function scoringInvariants(subject: Subject, extension: ScoringFunction): Invariant[] {
  const all = () => trials(subject, extension);
  return [
    ...perItemInvariants(all, 'returns for every item a finite number of at least 0', notAScore),
    { name: 'scores no item above its ceiling', run: each(all, checkCeiling) },
    { name: 'returns parts that add up to the score', run: each(all, checkParts) },
    { name: 'uses only the signals that it declares', run: each(all, checkSignals) },
    {
      name: 'orders items like the signal in ranked_by',
      run: each(all, (trial) => checkRanking(trial, subject)),
    },
  ];
}

function checkCeiling(trial: Trial<ScoringFunction>): void {
  const { extension, options } = trial;
  const ceiling = extension.ceiling?.(structuredClone(options) as never)(trial.request());
  if (ceiling === undefined) return;
  for (const [item, score] of measure(trial)) {
    const most = ceiling(item);
    if (Number(score) <= most) continue;
    throw new Error(`${nameOf(trial, item)}: its score is ${textOf(score)}, its ceiling ${most}`);
  }
}

function checkParts(trial: Trial<ScoringFunction>): void {
  const { extension, options } = trial;
  const said = extension.parts?.(structuredClone(options) as never)(trial.request());
  if (said === undefined) return;
  for (const [item, score] of measure(trial)) {
    const sum = Object.values(said(item)).reduce((total, part) => total + part, 0);
    if (Math.abs(sum - Number(score)) <= ROUNDING * Math.max(1, Math.abs(Number(score)))) continue;
    throw new Error(`${nameOf(trial, item)}: its parts add up to ${sum}, its score is ${textOf(score)}`);
  }
}

function checkSignals(trial: Trial<ScoringFunction>): void {
  const named = trial.extension.signals?.(structuredClone(trial.options) as never);
  if (named === undefined) return;
  const request = trial.request();
  measure(trial, request);
  const unnamed = request.asked.find((signal) => !named.includes(signal));
  if (unnamed !== undefined) throw new Error(`it uses '${unnamed}', which its signals leave out`);
}

/**
 * Checks that no item with a higher score comes later in the ranking.
 *
 * Items with equal scores may have any order, since any of them may come first.
 */
function checkRanking(trial: Trial<ScoringFunction>, subject: Subject): void {
  const { ranked_by } = trial.extension;
  if (ranked_by === undefined) return;
  const signal = subject.signal(ranked_by);
  if (signal.depends_on === 'viewer') throw new Error(`the signal '${ranked_by}' depends on the viewer`);
  const request = trial.request({ others: 'computed' });
  const scores = [...measure(trial, request)].map(([item, score]) => [item, Number(score)] as const);
  // The values of a placeholder are unknown, so its order cannot be checked.
  if (isOnTrust(signal) && !request.asked.includes(ranked_by)) return;
  const rank = request.signal(ranked_by);
  for (const [one, score] of scores) {
    const worse = scores.find(
      ([other, least]) => score - least > ROUNDING * score && !(rank(one) > rank(other)),
    );
    if (worse === undefined) continue;
    const [other, least] = worse;
    throw new Error(
      `${nameOf(trial, one)} scores ${score}, ${nameOf(trial, other)} ${least}, but by '${ranked_by}' the first is not before the second (${rank(one)}, ${rank(other)})`,
    );
  }
}
