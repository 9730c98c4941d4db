import type { Ordinal, Signal } from '../plugin/index.ts';
import { blaming, pluginFailed } from './plugin-failed.ts';

/** Runs something of a signal's on its account. */
export type SignalWatch = <T>(id: string, run: () => T) => T;

/**
 * A third party's signal that is blamed by its own name, whoever asks for it: a throw, or a value that is not
 * in [0, 1], fails the request. Costs some nanoseconds a value.
 * @param watch looked at once per request
 */
export function guardSignal(id: string, signal: Signal, watch: () => SignalWatch | undefined): Signal {
  const { reaches } = signal;
  return {
    ...signal,
    compile(options) {
      const bind = blaming(id, () => signal.compile(options));
      return (request) => {
        const watched = watch();
        const measure = blaming(id, () => (watched ? watched(id, () => bind(request)) : bind(request)));
        const checked = (item: Ordinal) => {
          let value: unknown;
          try {
            value = measure(item);
          } catch (error) {
            throw pluginFailed(id, error);
          }
          if (typeof value === 'number' && value >= 0 && value <= 1) return value;
          throw pluginFailed(id, new Error(`value ${String(value)} is not a number from 0 to 1`));
        };
        return watched === undefined ? checked : (item) => watched(id, () => checked(item));
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
