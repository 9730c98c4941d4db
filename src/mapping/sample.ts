import { isPlainObject } from '../model/values/refusal.ts';
import type { Row } from '../rows/row.ts';
import { textOf } from './rules.ts';

/** The beginning of a file. */
export interface Sample {
  name: string;
  columns: readonly string[];
  /** Texts by column; empty or absent: no value. */
  rows: readonly Readonly<Record<string, string>>[];
}

/** Levels of objects within objects whose fields become columns. */
const LEVELS_MAX = 3;

/** Makes a sample of rows of a file. Bad ones say nothing. */
export function sampleOf(name: string, given: readonly Row[]): Sample {
  const good = given.filter(({ fault }) => fault === undefined);
  if (good[0]?.cells !== undefined) {
    const [columns, ...rows] = good.map(({ cells = [] }) => cells);
    const header = columns.map((cell) => cell.trim());
    const texts = rows.map((cells) =>
      Object.fromEntries(header.map((column, at) => [column, cells[at] ?? ''])),
    );
    return { name, columns: header, rows: texts };
  }
  const rows = good.map(({ value = {} }) =>
    Object.fromEntries(pathsIn(value).map(([path, inner]) => [path, textOf(inner)])),
  );
  return { name, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}

/** `{"author":{"id":7}}` → `author.id` 7 */
export function pathsIn(
  value: Record<string, unknown>,
  before = '',
  levels = LEVELS_MAX,
): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const path = before + key;
    const is_nested = isPlainObject(inner) && levels > 1 && Object.keys(inner).length > 0;
    return is_nested ? pathsIn(inner, `${path}.`, levels - 1) : [[path, inner]];
  });
}
