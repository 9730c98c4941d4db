import { COUNTERS } from '../model/acts.ts';
import type { CellTypes } from '../model/values/cell-types.ts';
import type { FieldNames } from '../model/values/record.ts';
import { emptyRow, type FieldReader, fieldReader, type RowOptions, skipReader } from './field-reader.ts';
import type { ColumnSource, FieldMap } from './map.ts';

/** The fields of the records of a file. */
export interface RowType extends FieldNames {
  cells: CellTypes;
}

export function isField(name: string, { required, optional }: FieldNames): boolean {
  return required.includes(name) || optional.includes(name);
}

/** A column of a map, and what it is for. */
export interface Mapped {
  source: ColumnSource;
  read: FieldReader;
}

interface Form {
  splits_lists: boolean;
}

/** Makes the reader of a field that has the name of its column. */
export function ownReader(
  field: string,
  { cells }: RowType,
  map: FieldMap | undefined,
  options: RowOptions,
  { splits_lists }: Form,
): FieldReader {
  return fieldReader({ field, type: cells.get(field), options, trims: map !== undefined, splits_lists });
}

/** The columns that a map names, in its order. */
export function mappedColumns(
  map: FieldMap | undefined,
  { cells }: RowType,
  options: RowOptions,
  { splits_lists }: Form,
): Mapped[] {
  if (map === undefined) return [];
  const fields = [...map.fields].flatMap(([field, source]): Mapped[] => {
    if ('constant' in source) return [];
    const plan = { field, type: cells.get(field), source, options, trims: true, splits_lists };
    return [{ source, read: fieldReader(plan) }];
  });
  return [...fields, ...map.skips.map((source) => ({ source, read: skipReader(source, options) }))];
}

/** The fields for which a map has a text for all rows. */
export function constantsOf(map: FieldMap | undefined, { cells }: RowType): Record<string, unknown> {
  const row = emptyRow();
  for (const [field, source] of map?.fields ?? []) {
    if (!('constant' in source)) continue;
    const plan = { field, type: cells.get(field), options: {}, trims: false, splits_lists: true };
    fieldReader(plan)(source.constant, row);
  }
  return row.fields;
}

/** The field that is both the time of a version and of its counters. */
export const COUNTED_AT = 'updated_at';

/**
 * Whether rows of other software have counters, and a column with the name of their time that the map does not name.
 *
 * That time is mostly of the text. Acts later than it would count twice, as counters and as acts.
 */
export function hasDoubtfulTime(names: readonly string[], map: FieldMap | undefined): boolean {
  if (map === undefined || map.fields.has(COUNTED_AT) || !names.includes(COUNTED_AT)) return false;
  return COUNTERS.some((counter) => names.includes(counter) || map.fields.has(counter));
}

export const DOUBTFUL_TIME = `the column ${COUNTED_AT} was ignored, because it may be no time of the counters; if it is, map it (${COUNTED_AT}=${COUNTED_AT})`;
