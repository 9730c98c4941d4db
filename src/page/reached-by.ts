import { NONE, type Ordinal, type Reached } from '../plugin/index.ts';
import { assertListed } from '../plugin/listed-items.ts';
import { textOf } from '../plugin/text-of.ts';
import { blaming } from '../registry/plugin-failed.ts';
import { Accumulator } from '../signals/accumulator.ts';

/**
 * Returns the reached items of a signal. Errors name the signal.
 *
 * A valid result is usually returned as the same object, because the request identifies results by object.
 */
export function reachedBy(signal: string, reach: () => unknown): Reached {
  return blaming(signal, () => {
    const reached = reach();
    return reached instanceof Accumulator ? reached : itemsOf(reached);
  });
}

/**
 * Validates reached items. Returns a copy if they contain NONE or differ from the declared size.
 *
 * `request.item` returns NONE for unknown ids. Buffers are allocated by the declared size.
 * @throws Error if the value is not a valid `Reached`
 */
function itemsOf(reached: unknown): Reached {
  if (!isReached(reached)) throw new Error(`it reaches ${textOf(reached)}, which has no weights of items`);
  const items = new Set<Ordinal>();
  let is_whole = true;
  reached.forEach((item, weight) => {
    if (item === NONE) {
      is_whole = false;
      return;
    }
    assertReached(item, weight, items.size);
    if (items.has(item)) throw new Error(`it reaches item ${item} twice`);
    items.add(item);
  });
  return is_whole && items.size === reached.size ? reached : copyOf(reached);
}

function assertReached(item: unknown, weight: unknown, before: number): void {
  assertListed(item, before, 'reaches');
  if (typeof weight === 'number' && weight > 0 && weight < Number.POSITIVE_INFINITY) return;
  throw new Error(`it reaches an item with weight ${textOf(weight)}, which is not a finite number above 0`);
}

function copyOf(reached: Reached): Reached {
  const weights = new Map<Ordinal, number>();
  let max = 0;
  reached.forEach((item, weight) => {
    if (item === NONE) return;
    // The plugin may return other values the second time.
    assertReached(item, weight, weights.size);
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
