import { GROUP_COLUMNS, type GroupColumn } from '../plugin/group-column.ts';
import { type NamedValue, NONE } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';

/** What is wrong with a value that an extension returned. Its type promises another, but plugins may be JavaScript. */

function isGroupColumn(column: unknown): column is GroupColumn {
  return GROUP_COLUMNS.some((each) => each === column);
}

/** Describes the fault in the postings of a filter for a request, which may have none. Undefined if they are valid. */
export function postingsProblem(named: unknown): string | undefined {
  if (named === undefined) return undefined;
  if (typeof named !== 'object' || named === null) return `its postings are ${String(named)}`;
  if ('created_since' in named) return timeProblem('begin', named.created_since);
  if ('created_until' in named) return timeProblem('end', named.created_until);
  if ('items' in named) return codesProblem('items', named.items, 0, 'an item');
  const { column, values } = named as { column?: unknown; values?: unknown };
  if (!isGroupColumn(column))
    return `its postings are of the column ${textOf(column)}; there are ${GROUP_COLUMNS.join(', ')}`;
  return codesProblem('values', values, NONE, 'a code');
}

function codesProblem(name: string, given: unknown, least: number, what: string): string | undefined {
  if (!Array.isArray(given)) return `the ${name} of its postings are not a list`;
  const wrong = given.findIndex((each) => !Number.isInteger(each) || each < least);
  const singular = name.slice(0, -1);
  return wrong < 0
    ? undefined
    : `its postings have the ${singular} ${textOf(given[wrong])}, which is not ${what}`;
}

function timeProblem(does: string, time: unknown): string | undefined {
  const sound = typeof time === 'number' && !Number.isNaN(time);
  return sound ? undefined : `its postings ${does} at ${textOf(time)}, which is not a time`;
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
  if ((column !== 'list_id' && !isGroupColumn(column)) || typeof given !== 'string' || !Array.isArray(values))
    return false;
  return values.every((each) => typeof each === 'string');
}

/** Describes a fault in a strategy's slots that is a fault on any page. Undefined if there is none. */
export function slotsProblem(slots: unknown): string | undefined {
  if (!Array.isArray(slots)) return `it gives ${textOf(slots)}, which is not a list of slots`;
  // Most array methods skip holes.
  for (let at = 0; at < slots.length; at++) {
    if (typeof slots[at] !== 'object' || slots[at] === null)
      return `slot ${at + 1} holds ${textOf(slots[at])}; a slot is { item, promoted }`;
  }
  return undefined;
}
