import type { ExperimentVariant } from '../model/experiment-content.ts';

/**
 * The place of a viewer in an experiment, an integer below `POINTS`.
 *
 * It depends on nothing else, so it is the same on every node and after every restart. Points of one viewer under
 * different salts are independent.
 */
export function pointOf(salt: string, viewer_id: string): number {
  return Number(Bun.hash.xxHash64(`${salt} ${viewer_id}`) >> 32n);
}

/** The variant at a point. Undefined for a point that no variant has. */
export function variantAt(
  variants: readonly ExperimentVariant[],
  point: number,
): ExperimentVariant | undefined {
  return variants.find(({ ranges }) => ranges.some(({ from, to }) => from <= point && point < to));
}
