import { type TArray, type TSchema, Type } from '@sinclair/typebox';

/** Entries of a list in the options of a filter: while one list is read, nobody else is answered. */
const LIST_LENGTH_MAX = 10_000;

/**
 * Options that are a list of at most so many entries.
 * @param what the entries in words, such as `channel URLs`
 * @param length_max less for entries that every item is compared with one by one
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

/** A number as people write it: 10,000. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
