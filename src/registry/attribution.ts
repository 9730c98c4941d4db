import type { Kind } from './kinds.ts';
import { blaming } from './plugin-failed.ts';

/** Runs a function of an extension and records it. */
export type Watch = <T>(kind: Kind, id: string, run: () => T) => T;

/** The extension that a call is attributed to: errors name it, and its time is measured. */
export interface Attribution {
  id: string;
  /** Runs a function with measurement. Undefined if nothing is measured. Call it once per request, not per item. */
  watched(): (<T>(run: () => T) => T) | undefined;
}

/** Runs a call of an extension. Its errors name the extension, and its time is measured. */
export function attributed<T>({ id, watched }: Attribution, run: () => T): T {
  const watch = watched();
  return blaming(id, watch === undefined ? run : () => watch(run));
}
