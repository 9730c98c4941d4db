import { textOf } from './text-of.ts';

/**
 * The inputs of an extension besides its options. Each value includes the ones before it.
 *
 * `content`: data of the item itself, including its author. `item`: also the counters `likes_count`, `comments_count` and
 * `shares_count`. `time`: also the time, and labels of others. `viewer`: any other input, such as the viewer, fields of users or refreshed data.
 */
export type DependsOn = (typeof DEPENDS_ON)[number];

export const DEPENDS_ON = ['content', 'item', 'time', 'viewer'] as const;

/** A `depends_on` that follows from the options. Declared as a method, so that a filter of any options is a `Filter`. */
export type DependsOnOptions<O> = { of(options: O): DependsOn }['of'];

/** What an extension with a `depends_on`, or without one, depends on. @throws Error for any other value */
export function dependsOn<O>(declared: DependsOn | DependsOnOptions<O> | undefined, options: O): DependsOn {
  const inputs: unknown = typeof declared === 'function' ? declared(options) : (declared ?? 'viewer');
  const known = DEPENDS_ON.find((each) => each === inputs);
  if (known === undefined)
    throw new Error(`it depends on ${textOf(inputs)}; allowed are ${DEPENDS_ON.join(', ')}`);
  return known;
}

/** Whether a signal is not the same for all viewers. */
export function isOfViewer({ depends_on = 'viewer' }: { depends_on?: DependsOn }): boolean {
  return depends_on === 'viewer';
}
