import { columnsOf } from '../../src/mapping/columns.ts';
import type { RowFields, RowOptions } from '../../src/mapping/field-reader.ts';
import { fieldsOf, type Kind, RECORDS } from '../../src/mapping/kinds.ts';
import { parseMap } from '../../src/mapping/parse-map.ts';
import { mappedValues } from '../../src/mapping/values.ts';
import { isPlainObject } from '../../src/model/values/refusal.ts';
import { parseJson } from '../../src/plugin/index.ts';

function typeOf(kind: Kind) {
  return { cells: RECORDS[kind].cells, required: [], optional: fieldsOf(kind) };
}

/** Reads a row of CSV by a map, or by the names of its columns as records of a kind. */
export function rowOfCsv(
  by: string | { kind: Kind },
  row: Readonly<Record<string, string>>,
  options?: RowOptions,
): RowFields {
  const map = typeof by === 'string' ? parseMap(by) : undefined;
  const kind = typeof by === 'string' ? parseMap(by).kind : by.kind;
  const columns = columnsOf(Object.keys(row), typeOf(kind), map, options);
  if ('fault' in columns) throw new Error(columns.fault);
  return columns.rowOf(Object.values(row));
}

/** Reads a line of JSON by a map. */
export function rowOfJson(map: string, line: string, options?: RowOptions): RowFields {
  const parsed = parseMap(map);
  const value = parseJson(line, undefined, { long_numbers: 'noted' });
  if (!isPlainObject(value)) throw new Error('expected an object');
  return mappedValues(typeOf(parsed.kind), parsed, options)(value);
}
