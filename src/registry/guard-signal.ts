import type { Ordinal, Signal } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import type { Attribution } from './attribution.ts';
import { blaming, pluginFailed } from './plugin-failed.ts';

const ASKS_FOR_ITSELF = 'it requests its own value of the same item, perhaps through another signal';

/**
 * Wraps a plugin's signal so that its errors name it, whichever plugin requested the value.
 *
 * A throw or a value outside [0, 1] fails the request. Costs a few nanoseconds per value.
 */
export function guardSignal({ id, watched: watchedNow }: Attribution, signal: Signal): Signal {
  const { reaches } = signal;
  return {
    ...signal,
    compile(options) {
      const bind = blaming(id, () => signal.compile(options));
      return (request) => {
        const watched = watchedNow();
        const measure = blaming(id, () => (watched ? watched(() => bind(request)) : bind(request)));
        let under_way: Ordinal | undefined;
        const checked = (item: Ordinal) => {
          if (item === under_way) throw pluginFailed(id, new Error(ASKS_FOR_ITSELF));
          const outer = under_way;
          under_way = item;
          let value: unknown;
          try {
            value = measure(item);
          } catch (error) {
            throw pluginFailed(id, error);
          } finally {
            under_way = outer;
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
        return (request) => blaming(id, () => bind(request));
      }),
  };
}
