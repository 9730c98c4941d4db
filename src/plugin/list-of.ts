import { type TArray, type TSchema, Type } from '@sinclair/typebox';

/** Maximum number of entries of a list in filter options. Reading a list blocks all other requests. */
const LIST_LENGTH_MAX = 10_000;

/**
 * Makes a schema of a list with a maximum length.
 * @param what the entries in words, such as `channel URLs`
 * @param length_max lower it if every item is compared with every entry
 */
export function listOf<T extends TSchema>(
  entry: T,
  what: string,
  example: unknown[],
  length_max: number = LIST_LENGTH_MAX,
): TArray<T> {
  return Type.Array(entry, {
    maxItems: length_max,
    description: `a list of at most ${grouped(length_max)} ${what}`,
    examples: [example],
  });
}

/** Formats a number with digit groups: 10,000. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
