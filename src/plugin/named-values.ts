import type { NamedValue } from './kinds.ts';
import { isGroupColumn } from './postings.ts';
import type { GroupColumn } from './request-context.ts';
import { textOf } from './text-of.ts';

/** Values of one filter that are looked up, for each request: a longer list was written by a program. */
export const NAMED_VALUES_MAX = 1_000;

/**
 * What `named_values` of a filter returns whose options list values of a group column.
 * @param asked the values of the column that one of the options asks for; default: itself
 */
export function valuesNamed<T extends string | number>(
  column: GroupColumn,
  options: readonly T[],
  asked: (option: T) => readonly string[] = (option) => [String(option)],
): NamedValue[] {
  const first = options.slice(0, NAMED_VALUES_MAX);
  return first.map((option) => ({ column, given: String(option), values: asked(option) }));
}

/** What is wrong with what `named_values` gives; undefined: nothing. */
export function namedValuesProblem(named: unknown): string | undefined {
  if (!Array.isArray(named)) return `its named values are ${textOf(named)}, which is no list`;
  const wrong = named.findIndex((value) => !isNamedValue(value));
  return wrong < 0 ? undefined : `its named value ${wrong} is no {column, given, values}`;
}

function isNamedValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { column, given, values } = value as Partial<Record<keyof NamedValue, unknown>>;
  if (!isGroupColumn(column) || typeof given !== 'string' || !Array.isArray(values)) return false;
  return values.every((each) => typeof each === 'string');
}
