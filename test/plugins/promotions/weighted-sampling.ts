/** Exact probabilities of weighted sampling without replacement, computed without sampling. */

/** Spec 8.2 step 3: the weights of slots 1 to `slots`. */
export const WEIGHTS = (slots: number): number[] =>
  Array.from({ length: slots }, (_, at) => 1 / (at + 1) ** 0.35);

/**
 * The probability of each set of `count` slots. Bit n - 1 of the key is slot n.
 *
 * Each draw takes one of the remaining slots with a probability proportional to its weight. O(sets of at most `count`
 * slots × slots).
 */
export function chosenSets(weights: readonly number[], count: number): Map<number, number> {
  let sets = new Map([[0, 1]]);
  for (let draw = 0; draw < count; draw++) {
    const larger = new Map<number, number>();
    for (const [set, probability] of sets) {
      const left = weights.flatMap((weight, at) => ((set >> at) & 1 ? [] : [{ at, weight }]));
      const total = left.reduce((sum, { weight }) => sum + weight, 0);
      for (const { at, weight } of left) {
        const next = set | (1 << at);
        larger.set(next, (larger.get(next) ?? 0) + (probability * weight) / total);
      }
    }
    sets = larger;
  }
  return sets;
}

/** The probability that each of the first `slots` slots is chosen, and the covariance of each pair. */
export function inclusionCovariance(sets: ReadonlyMap<number, number>, slots: number) {
  const both = Array.from({ length: slots }, () => new Array<number>(slots).fill(0));
  for (const [set, probability] of sets) {
    for (let one = 0; one < slots; one++) {
      if (!((set >> one) & 1)) continue;
      for (let other = 0; other < slots; other++) if ((set >> other) & 1) both[one][other] += probability;
    }
  }
  const inclusion = both.map((row, at) => row[at]);
  const covariance = both.map((row, one) =>
    row.map((joint, other) => joint - inclusion[one] * inclusion[other]),
  );
  return { inclusion, covariance };
}

/** Computes `x' C⁻¹ x` by Gaussian elimination. It is chi-square distributed for normal `x` with covariance `C`. */
export function mahalanobis(x: readonly number[], covariance: readonly (readonly number[])[]): number {
  const size = x.length;
  const rows = covariance.map((row, at) => [...row, x[at]]);
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = pivot + 1; row < size; row++) {
      const factor = rows[row][pivot] / rows[pivot][pivot];
      for (let column = pivot; column <= size; column++) rows[row][column] -= factor * rows[pivot][column];
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let rest = rows[row][size];
    for (let column = row + 1; column < size; column++) rest -= rows[row][column] * solution[column];
    solution[row] = rest / rows[row][row];
  }
  return x.reduce((sum, value, at) => sum + value * solution[at], 0);
}
