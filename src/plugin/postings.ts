import { NONE } from './ordinal.ts';
import type { GroupColumn } from './request-context.ts';
import { textOf } from './text-of.ts';

/** A record rather than a list, so that the compiler reports a missing column. */
const COLUMNS: Record<GroupColumn, true> = {
  author: true,
  channel: true,
  app: true,
  language: true,
  publication_type: true,
  domain: true,
  label: true,
};

export function isGroupColumn(column: unknown): column is GroupColumn {
  return typeof column === 'string' && Object.hasOwn(COLUMNS, column);
}

/** Describes the fault in the postings of a filter for a request. Undefined if they are valid. */
export function postingsProblem(named: unknown): string | undefined {
  if (typeof named !== 'object' || named === null) return `its postings are ${String(named)}`;
  if ('created_since' in named) return timeProblem('begin', named.created_since);
  if ('created_until' in named) return timeProblem('end', named.created_until);
  const { column, values } = named as { column?: unknown; values?: unknown };
  if (!isGroupColumn(column))
    return `its postings are of the column ${textOf(column)}; there are ${Object.keys(COLUMNS).join(', ')}`;
  if (!Array.isArray(values)) return `the values of its postings are not a list`;
  const wrong = values.findIndex((value) => !Number.isInteger(value) || value < NONE);
  return wrong < 0 ? undefined : `its postings have the value ${textOf(values[wrong])}, which is not a code`;
}

function timeProblem(does: string, time: unknown): string | undefined {
  const sound = typeof time === 'number' && !Number.isNaN(time);
  return sound ? undefined : `its postings ${does} at ${textOf(time)}, which is not a time`;
}
