/** Reads rows that are objects of JSON: lines of a file, or rows of a database. */
import { isPlainObject } from '../model/values/refusal.ts';
import { PER_SECOND } from '../model/values/time.ts';
import { lostDigits } from '../plugin/json-digits.ts';
import { isNoDate } from './cells.ts';
import { emptyRow, type FieldReader, type RowFields, type RowOptions } from './field-reader.ts';
import type { ColumnSource, FieldMap } from './map.ts';
import {
  COUNTED_AT,
  constantsOf,
  DOUBTFUL_TIME,
  hasDoubtfulTime,
  mappedColumns,
  ownReader,
  type RowType,
} from './row-type.ts';

type Value = Record<string, unknown>;

/** Reads an object, which it may change. Numbers with more digits than a number keeps are read as their source, if noted. */
export type ValueReader = (value: Value) => RowFields;

const IN_JSON = { splits_lists: false };

/** Reads objects with the fields of a map. A text may stand for a value of another type, as in CSV. */
export function mappedValues(type: RowType, map: FieldMap, options: RowOptions = {}): ValueReader {
  const mapped = mappedColumns(map, type, options, IN_JSON);
  const sources = new Set(mapped.flatMap(({ source }) => [source.column, stepsOf(source)[0]]));
  const own = new Map<string, FieldReader>();
  for (const field of [...type.required, ...type.optional])
    own.set(field, ownReader(field, type, map, options, IN_JSON));
  const constants = constantsOf(map, type);
  return (value) => {
    // Any name of a field is harmless without a prototype.
    const row = emptyRow(Object.assign(Object.create(null), constants));
    const names = Object.keys(value).filter((name) => !sources.has(name) && !map.fields.has(name));
    const is_doubtful = hasDoubtfulTime(names, map);
    if (is_doubtful) row.warnings = [DOUBTFUL_TIME];
    for (const name of names) {
      if (is_doubtful && name === COUNTED_AT) continue;
      const read = own.get(name);
      if (read === undefined) row.fields[name] = value[name];
      else read(valueAt(value, [name]), row);
    }
    for (const { source, read } of mapped) {
      const steps = Object.hasOwn(value, source.column) ? [source.column] : stepsOf(source);
      read(valueAt(value, steps), row);
    }
    return row;
  };
}

/** Reads objects that have the names and types of the fields of their kind. */
export function ownValues({ cells }: RowType, { time_unit = 's', nulls = [] }: RowOptions = {}): ValueReader {
  const namesOf = (wanted: string) => [...cells].flatMap(([name, type]) => (type === wanted ? name : []));
  const identifiers = [...namesOf('identifier'), ...namesOf('list')];
  const times = namesOf('time');
  const per_second = PER_SECOND[time_unit];
  return (value) => {
    for (const name of nulls.length === 0 ? [] : Object.keys(value)) {
      if (nulls.some((text) => text === value[name])) value[name] = null;
    }
    for (const name of identifiers) {
      const given = value[name];
      if (typeof given === 'number' || Array.isArray(given)) value[name] = valueAt(value, [name]);
    }
    for (const name of times) {
      const time = value[name];
      if (typeof time === 'number') value[name] = time / per_second;
      else if (typeof time === 'string' && isNoDate(time)) delete value[name];
    }
    return emptyRow(value);
  };
}

function stepsOf({ column, is_literal }: ColumnSource): string[] {
  return is_literal ? [column] : column.split('.');
}

/** The value at the end of a path of names, and of positions in arrays; undefined if there is none. */
function valueAt(value: unknown, steps: readonly string[]): unknown {
  const last = steps[steps.length - 1];
  const holder = steps.slice(0, -1).reduce(memberOf, value);
  const found = memberOf(holder, last);
  if (Array.isArray(found)) return withDigits(found);
  return typeof found === 'number' ? (lostDigits(holder as object).get(last) ?? found) : found;
}

function memberOf(holder: unknown, name: string): unknown {
  const has_it = (isPlainObject(holder) || Array.isArray(holder)) && Object.hasOwn(holder, name);
  return has_it ? (holder as Value)[name] : undefined;
}

function withDigits(list: readonly unknown[]): readonly unknown[] {
  const sources = lostDigits(list);
  return sources.size === 0 ? list : list.map((entry, index) => sources.get(String(index)) ?? entry);
}
