import type { Ordinal } from './ordinal.ts';
import { textOf } from './text-of.ts';

/** Maximum number of items that an extension may list. A longer list indicates an endless loop. */
const LISTED_ITEMS_MAX = 1_000_000;
/** Ordinals are 31-bit. */
const ORDINAL_MAX = 2 ** 31 - 1;

/** Whether a value is an iterable object. Strings are not. */
export function isList(listed: unknown): listed is Iterable<unknown> {
  return typeof listed === 'object' && listed !== null && Symbol.iterator in listed;
}

/**
 * Asserts that a listed value is an item, and that the list is not too long.
 * @param listed the number of items before this one
 * @param verb the verb of the error text, such as `lists`
 */
export function assertListed(item: unknown, listed: number, verb: string): asserts item is Ordinal {
  if (!(Number.isInteger(item) && (item as number) >= 0 && (item as number) <= ORDINAL_MAX)) {
    throw new Error(`it ${verb} ${textOf(item)}, which is not an item`);
  }
  if (listed === LISTED_ITEMS_MAX) throw new Error(`it ${verb} more than ${LISTED_ITEMS_MAX} items`);
}
