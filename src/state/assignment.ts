import type { ExperimentVariant } from '../model/experiment-content.ts';

/** The number of different points. A double represents each of them exactly. */
const POINTS = 2 ** 32;

/**
 * The place of a viewer in an experiment, in [0, 1).
 *
 * It depends on nothing else, so it is the same on every node and after every restart. Points of one viewer under
 * different salts are independent.
 */
export function pointOf(salt: string, viewer_id: string): number {
  const hash = Bun.hash.xxHash64(`${salt} ${viewer_id}`);
  return Number(hash >> 32n) / POINTS;
}

/**
 * The variant at a point. The variants lie one after another from 0 on; undefined beyond the last one.
 *
 * With other percents, a viewer may get another variant.
 */
export function variantAt(
  variants: readonly ExperimentVariant[],
  point: number,
): ExperimentVariant | undefined {
  let end = 0;
  for (const variant of variants) {
    end += variant.percent;
    if (point * 100 < end) return variant;
  }
  return undefined;
}
