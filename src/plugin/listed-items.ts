import type { Ordinal } from './ordinal.ts';
import { textOf } from './text-of.ts';

/** Items that one extension may list: more is a plugin that never ends. */
const LISTED_ITEMS_MAX = 1_000_000;
/** Ordinals are 31-bit. */
const ORDINAL_MAX = 2 ** 31 - 1;

/** Whether somebody can look for items in it; a text has none. */
export function isList(listed: unknown): listed is Iterable<unknown> {
  return typeof listed === 'object' && listed !== null && Symbol.iterator in listed;
}

/**
 * That what an extension lists is an item, and not one too many.
 * @param listed how many items came before
 * @param verb `lists`, for the error
 */
export function assertListed(item: unknown, listed: number, verb: string): asserts item is Ordinal {
  if (!(Number.isInteger(item) && (item as number) >= 0 && (item as number) <= ORDINAL_MAX)) {
    throw new Error(`it ${verb} ${textOf(item)}, which is no item`);
  }
  if (listed === LISTED_ITEMS_MAX) throw new Error(`it ${verb} more than ${LISTED_ITEMS_MAX} items`);
}
