import { Type } from '@sinclair/typebox';
import type { Signal } from '../kinds.ts';

/** Signals that there are beside a plugin's own, by name; undefined: there is none of that name. */
export type KnownSignals = (name: string) => Signal | undefined;

/** Stands for a signal that may be there, of which nothing is known. */
export const ON_TRUST: Signal = {
  summary: 'Of a plugin that is not here.',
  depends_on: 'item',
  options: Type.Object({}),
  compile: () => () => () => 0,
};

/** Stands for a signal that is there but whose plugin is not set up: only what it declares is known. */
export function declaredOnly({ depends_on, reaches }: Signal): Signal {
  return { ...ON_TRUST, depends_on, reaches };
}

/** Whether nobody knows what the signal says of items. */
export function isOnTrust({ compile }: Signal): boolean {
  return compile === ON_TRUST.compile;
}

/**
 * What is built in, and on trust whatever is named as a plugin's: another file's, which a test does not load, may be of
 * the same namespace.
 */
export function signalsBeside(built_in: Readonly<Record<string, Signal>>): KnownSignals {
  return (name) => {
    if (name.includes('/')) return ON_TRUST;
    return Object.hasOwn(built_in, name) ? built_in[name] : undefined;
  };
}
