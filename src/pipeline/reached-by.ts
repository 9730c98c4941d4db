import { NONE, type Ordinal, type Reached } from '../plugin/index.ts';
import { assertListed } from '../plugin/listed-items.ts';
import { textOf } from '../plugin/text-of.ts';
import { blaming } from '../registry/plugin-failed.ts';
import { Accumulator } from '../signals/accumulator.ts';

/**
 * What a signal reaches. Mostly that is what the request itself has reached, which is known again by who it is; anything
 * else is copied without NONE, which `request.item` gives for an id that nobody has heard of, and blamed on the signal when
 * it is no weights of items.
 */
export function reachedBy(signal: string, reach: () => unknown): Reached {
  return blaming(signal, () => {
    const reached = reach();
    return reached instanceof Accumulator ? reached : copyOf(reached);
  });
}

/** @throws Error for what is no `Reached` */
function copyOf(reached: unknown): Reached {
  if (!isReached(reached)) throw new Error(`it reaches ${textOf(reached)}, which has no weights of items`);
  const weights = new Map<Ordinal, number>();
  let max = 0;
  reached.forEach((item: unknown, weight: unknown) => {
    if (item === NONE) return;
    assertListed(item, weights.size, 'reaches');
    if (!(typeof weight === 'number' && weight > 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new Error(`it reaches an item with weight ${textOf(weight)}, which is no finite number above 0`);
    }
    weights.set(item, weight);
    max = Math.max(max, weight);
  });
  return {
    size: weights.size,
    max,
    weight: (item) => weights.get(item) ?? 0,
    forEach(visit) {
      for (const [item, weight] of weights) visit(item, weight);
    },
  };
}

function isReached(reached: unknown): reached is Reached {
  if (typeof reached !== 'object' || reached === null) return false;
  const { size, weight, forEach } = reached as Partial<Record<keyof Reached, unknown>>;
  return typeof size === 'number' && typeof weight === 'function' && typeof forEach === 'function';
}
