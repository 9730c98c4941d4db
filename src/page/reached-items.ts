import { NONE, type Ordinal, type Reached } from '../plugin/index.ts';
import { assertListed } from '../plugin/listed-items.ts';
import { textOf } from '../plugin/text-of.ts';

/**
 * Copies what `reaches` of a signal returned, without NONE, which `request.item.find` returns for unknown ids.
 * @throws Error if it has no valid weights of items
 */
export function reachedItems(given: unknown): Reached {
  if (!isReached(given)) throw new Error(`it reaches ${textOf(given)}, which has no weights of items`);
  const weights = new Map<Ordinal, number>();
  let max = 0;
  const add = (item: unknown, weight: unknown): void => {
    if (item === NONE) return;
    assertListed(item, weights.size, 'reaches');
    if (!(typeof weight === 'number' && weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw new Error(
        `it reaches an item with weight ${textOf(weight)}, which is not a finite number above 0`,
      );
    if (weights.has(item)) throw new Error(`it reaches item ${item} twice`);
    weights.set(item, weight);
    max = Math.max(max, weight);
  };
  if (given instanceof Map) for (const [item, weight] of given) add(item, weight);
  else given.forEach(add);
  return {
    size: weights.size,
    max,
    weight: (item) => weights.get(item) ?? 0,
    forEach(visit) {
      for (const [item, weight] of weights) visit(item, weight);
    },
  };
}

function isReached(given: unknown): given is ReadonlyMap<unknown, unknown> | Pick<Reached, 'forEach'> {
  if (given instanceof Map) return true;
  return typeof given === 'object' && given !== null && 'forEach' in given && 'weight' in given;
}
