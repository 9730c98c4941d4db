/** What a map says, as data: `parseMap` reads it, `writeMap` writes it. */
import { TIME_UNITS } from '../model/values/time.ts';
import { DATE_FORMS } from './dates.ts';
import type { Kind } from './kinds.ts';

/** How the times of a column are written, if not as ISO 8601: units of numbers, and forms of dates. */
export const UNITS = [...TIME_UNITS, ...DATE_FORMS];
export type Unit = (typeof UNITS)[number];

/** What may follow the `@` of a column. */
export const UNIT_PATTERN = UNITS.join('|').replaceAll('.', '\\.');

/** What a value must be for a rule to count. `is` compares numbers as numbers; an empty text means an empty value. */
export type Condition =
  | { is: string }
  | { comparison: Comparison; number: number }
  /** Any value that is not empty. */
  | { is_rest: true };

export const COMPARISONS = ['>=', '<=', '>', '<'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Rule {
  when: Condition;
  /** The text that the value is read as; empty for an absent one. Undefined: the row stays out. */
  to: string | undefined;
}

/** A column of a foreign file, or a field of its JSON. */
export interface ColumnSource {
  /** `a.b.0` also means the first entry of `b` within `a`, and a number a position, from 1, in a file without header. */
  column: string;
  /** Whether dots and a number are only a name. */
  is_literal?: true;
  /** Absent: the unit of the run. */
  unit?: Unit;
  /** The first that fits counts. Values that no rule fits stay as they are. */
  rules: readonly Rule[];
}

/** The source of a field: a column, or one text for all rows. */
export type FieldSource = ColumnSource | { constant: string };

/** Where the fields of foreign rows come from. */
export interface FieldMap {
  fields: ReadonlyMap<string, FieldSource>;
  /** Columns that only decide which rows stay out: a rule's `to` is undefined, or `KEEP`. */
  skips: readonly ColumnSource[];
}

/** How a foreign file is read as records of a kind. */
export interface FileMap extends FieldMap {
  /** Name of the file, with or without `.gz`, or of a table in a file of maps. */
  file: string;
  kind: Kind;
}

/** What stands in a map for a row that stays out, and in `FieldMap.skips` for one that does not. */
export const SKIP = 'skip';
export const KEEP = 'keep';

/** A map that is not understood. The message says why, and what is allowed. */
export class MapFault extends Error {}

export function isPosition({ column, is_literal }: ColumnSource): boolean {
  return is_literal !== true && /^[1-9]\d*$/.test(column);
}
