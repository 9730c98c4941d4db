import type { NamedValue } from './kinds.ts';
import { isGroupColumn } from './postings.ts';
import type { GroupColumn } from './request-context.ts';
import { textOf } from './text-of.ts';

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

/** Describes the fault in a result of `named_values`. Undefined if it is valid. */
export function namedValuesProblem(named: unknown): string | undefined {
  if (!Array.isArray(named)) return `its named values are ${textOf(named)}, which is not a list`;
  const wrong = named.findIndex((value) => !isNamedValue(value));
  return wrong < 0 ? undefined : `its named value ${wrong} is not of the form {column, given, values}`;
}

function isNamedValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { column, given, values } = value as Partial<Record<keyof NamedValue, unknown>>;
  if (!isGroupColumn(column) || typeof given !== 'string' || !Array.isArray(values)) return false;
  return values.every((each) => typeof each === 'string');
}
