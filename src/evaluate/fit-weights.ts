import type { Choice } from './signal-reader.ts';

const SWEEPS_MAX = 40;
/** A sweep that changes no weight by more than this share is the last. */
const CHANGE_MIN = 0.005;
/** Pulls weights to 0, so that a signal that hardly occurs gets none. */
const PENALTY = 0.02;
export interface Fit {
  /** A weight for each signal, the greatest of them 1. All are 0 if no signal helps. */
  weights: number[];
  /** The logarithm of the likelihood of all choices, before weights are rounded. */
  log_likelihood: number;
}

/** Smaller weights, relative to the greatest, are left out. */
const WEIGHT_MIN = 0.01;

/**
 * The weights of signals by which choices are most likely: those of a conditional logit (McFadden, 1974), where a
 * candidate is chosen with a probability in proportion to e^score.
 *
 * Maximised by Newton steps, one signal at a time. The function is concave, so the start does not matter. Weights are at
 * least 0, since those of `weighted_v0.0.1` are.
 * @param half_life_hours the time decay of the feed, which multiplies its scores
 */
export function fitWeights(choices: readonly Choice[], half_life_hours: number): Fit {
  const sets = choices.map(({ chosen, others }) => [chosen, ...others]);
  const values = sets.map((candidates) =>
    candidates.map(({ signals, age_hours }) => {
      const decay = 2 ** (-age_hours / half_life_hours);
      return signals.map((value) => value * decay);
    }),
  );
  const scores = sets.map((candidates) => new Float64Array(candidates.length));
  const weights = Array.from(choices[0]?.chosen.signals ?? [], () => 0);
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    let change = 0;
    for (const [signal, weight] of weights.entries()) {
      const next = Math.max(0, weight + newtonStep(values, scores, signal, weight));
      if (next === weight) continue;
      weights[signal] = next;
      change = Math.max(change, Math.abs(next - weight) / (1 + weight));
      for (const [set, candidates] of values.entries())
        for (const [at, candidate] of candidates.entries())
          scores[set][at] += (next - weight) * candidate[signal];
    }
    if (change < CHANGE_MIN) break;
  }
  return { weights: rounded(weights), log_likelihood: logLikelihood(scores) };
}

/** The step to the maximum along one weight, by the first and second derivative of the penalised log-likelihood. */
function newtonStep(
  values: readonly (readonly (readonly number[])[])[],
  scores: readonly Float64Array[],
  signal: number,
  weight: number,
): number {
  let slope = -PENALTY * weight;
  let curvature = PENALTY;
  for (const [set, candidates] of values.entries()) {
    const own = scores[set];
    const greatest = own.reduce((one, other) => Math.max(one, other), 0);
    let total = 0;
    let mean = 0;
    let square = 0;
    for (let at = 0; at < own.length; at++) {
      const likelihood = Math.exp(own[at] - greatest);
      const value = candidates[at][signal];
      total += likelihood;
      mean += likelihood * value;
      square += likelihood * value * value;
    }
    mean /= total;
    slope += candidates[0][signal] - mean;
    curvature += square / total - mean * mean;
  }
  // Far from the maximum the parabola is too flat, and a full step would go beyond it.
  const most = 1 + weight;
  return Math.max(-most, Math.min(most, slope / curvature));
}

function logLikelihood(scores: readonly Float64Array[]): number {
  return scores.reduce((sum, own) => {
    const greatest = Math.max(...own);
    const total = own.reduce((all, score) => all + Math.exp(score - greatest), 0);
    return sum + own[0] - greatest - Math.log(total);
  }, 0);
}

/** Scaled and to two digits: more would not change a page. */
function rounded(weights: readonly number[]): number[] {
  const greatest = Math.max(...weights, 0);
  if (greatest === 0) return weights.map(() => 0);
  const scaled = weights.map((weight) => Number((weight / greatest).toPrecision(2)));
  return scaled.map((weight) => (weight < WEIGHT_MIN ? 0 : weight));
}
