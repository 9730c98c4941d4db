import type { GroupColumn } from './group-column.ts';
import type { NamedValue } from './kinds.ts';

/** Maximum number of values per filter that are checked per request. Longer lists come from programs. */
export const NAMED_VALUES_MAX = 1_000;

/**
 * Makes `named_values` of a filter whose options list values of a group column.
 * @param asked maps an option to the values of the column that it matches; default: the option itself
 */
export function valuesNamed<T extends string | number>(
  column: GroupColumn,
  options: readonly T[],
  asked: (option: T) => readonly string[] = (option) => [String(option)],
): NamedValue[] {
  const first = options.slice(0, NAMED_VALUES_MAX);
  return first.map((option) => ({ column, given: String(option), values: asked(option) }));
}
