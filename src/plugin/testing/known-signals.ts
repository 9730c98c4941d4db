import { Type } from '@sinclair/typebox';
import type { Signal } from '../kinds.ts';

/** Finds a signal of another plugin by name. Undefined if there is none. */
export type KnownSignals = (name: string) => Signal | undefined;

/** Placeholder for a signal that may exist but whose definition is not available. */
export const ON_TRUST: Signal = {
  summary: 'A signal of a plugin that is not loaded.',
  depends_on: 'item',
  options: Type.Object({}),
  compile: () => () => () => 0,
};

/** Placeholder for a signal of a plugin that is not set up. Only its declarations are known. */
export function declaredOnly({ depends_on, reaches }: Signal): Signal {
  return { ...ON_TRUST, depends_on, reaches };
}

/** Whether the signal is a placeholder, so its values are unknown. */
export function isOnTrust({ compile }: Signal): boolean {
  return compile === ON_TRUST.compile;
}

/**
 * Finds built-in signals, and assumes that names with a plugin's prefix exist.
 *
 * Such a signal may be in another file of the same namespace, which a test does not load.
 */
export function signalsBeside(built_in: Readonly<Record<string, Signal>>): KnownSignals {
  return (name) => {
    if (name.includes('/')) return ON_TRUST;
    return Object.hasOwn(built_in, name) ? built_in[name] : undefined;
  };
}
