import { NONE, type Ordinal, type Reached, type Signal } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import type { Account } from './account.ts';
import { blaming, pluginFailed } from './plugin-failed.ts';

/**
 * A third party's signal that is blamed by its own name, whoever asks for it: a throw, or a value that is not
 * in [0, 1], fails the request. Costs some nanoseconds a value.
 */
export function guardSignal({ id, watched: watchedNow }: Account, signal: Signal): Signal {
  const { reaches } = signal;
  return {
    ...signal,
    compile(options) {
      const bind = blaming(id, () => signal.compile(options));
      return (request) => {
        const watched = watchedNow();
        const measure = blaming(id, () => (watched ? watched(() => bind(request)) : bind(request)));
        const checked = (item: Ordinal) => {
          let value: unknown;
          try {
            value = measure(item);
          } catch (error) {
            throw pluginFailed(id, error);
          }
          if (typeof value === 'number' && value >= 0 && value <= 1) return value;
          throw pluginFailed(id, new Error(`value ${textOf(value)} is not a number from 0 to 1`));
        };
        return watched === undefined ? checked : (item) => watched(() => checked(item));
      };
    },
    reaches:
      reaches &&
      ((options) => {
        const bind = blaming(id, () => reaches.call(signal, options));
        return (request) => blaming(id, () => itemsOf(bind(request)));
      }),
  };
}

/**
 * What a signal reaches without NONE, which `request.item` gives for an id that nobody has heard of. Mostly that
 * is what it was: what the request itself has reached is known again by who it is.
 * @throws Error for anything else
 */
function itemsOf(reached: unknown): Reached {
  if (!isReached(reached)) throw new Error(`it reaches ${textOf(reached)}, which has no weights of items`);
  if (!(reached.weight(NONE) > 0)) return reached;
  const weights = new Map<Ordinal, number>();
  let max = 0;
  reached.forEach((item, weight) => {
    if (item === NONE) return;
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
