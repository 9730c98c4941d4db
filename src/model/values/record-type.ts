import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type CellTypes, cellTypesOf } from './cell-types.ts';
import { readRecord, type Shape } from './record.ts';
import { expected, type FieldCheck, isPlainObject, Reduced, Refusal } from './refusal.ts';
import * as part from './schema-parts.ts';
import { seconds } from './time.ts';
import type { ValueType } from './values.ts';

/** A field of a record. @template T its type after the check */
export interface Field<T> {
  schema: TSchema;
  check: FieldCheck<T>;
}

/** A field that every record has. */
export interface RequiredField<T> extends Field<T> {
  is_required: true;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type Flat<T> = { [Name in keyof T]: T[Name] };

/** A checked record: its fields as they were given. */
export type FieldsOf<F extends Fields> = Flat<
  {
    -readonly [Name in keyof F as F[Name] extends { is_required: true } ? Name : never]: ValueOf<F[Name]>;
  } & {
    -readonly [Name in keyof F as F[Name] extends { is_required: true } ? never : Name]?: ValueOf<F[Name]>;
  }
>;

/** A kind of record, or of object within one: how it is checked and how it is documented. */
export interface RecordType<F extends Fields> {
  shape: Shape<FieldsOf<F>>;
  /** Its example consists of its fields' examples, and unknown fields are accepted. */
  schema: TObject;
  /** How its cells in CSV are read. */
  cells: CellTypes;
}

/** What `readRecord` returns for a kind of record. */
export type RecordOf<R> = R extends RecordType<infer F> ? FieldsOf<F> : never;

export function required<T>(
  { schema, check }: ValueType<T>,
  description?: string,
  example?: unknown,
): RequiredField<T> {
  return { schema: part.required(schema, description, example), check, is_required: true };
}

/** `null` means absent, which the schema shows. */
export function optional<T>(
  { schema, check, note }: ValueType<T>,
  description: string,
  example: unknown,
): Field<T> {
  const described = note === undefined ? description : `${description} ${note}`;
  return { schema: part.optional(schema, described, example), check };
}

/** As `optional`, but the schema does not show that `null` means absent. */
export function omittable<T>(
  { schema, check }: ValueType<T>,
  description?: string,
  example?: unknown,
): Field<T> {
  return { schema: Type.Optional(part.required(schema, description, example)), check };
}

/** A field that clients may send back as they have read it. The schema does not show it. */
export const sent_back: Field<unknown> = { schema: Type.Never(), check: (value) => value };

export function recordType<F extends Fields>(title: string, description: string, fields: F): RecordType<F> {
  const entries = Object.entries(fields);
  const shown = entries.filter(([, field]) => field !== sent_back);
  const properties = Object.fromEntries(shown.map(([name, { schema }]) => [name, schema]));
  const schema = part.recordOf(title, description, properties);
  const required_fields = entries.filter(([, field]) => 'is_required' in field).map(([name]) => name);
  const shape = {
    checks: new Map(entries.map(([name, { check }]) => [name, check])),
    required: required_fields as (keyof FieldsOf<F> & string)[],
  };
  return { shape, schema, cells: cellTypesOf(schema) };
}

/** The objects of a kind as values: of a field, of a list, or as a whole body. */
export function objectOf<F extends Fields>({ schema, shape }: RecordType<F>): ValueType<FieldsOf<F>> {
  const names = shape.required.join(', ');
  const form = names === '' ? 'a JSON object' : `a JSON object with ${names}`;
  return {
    schema,
    check: (value, options) => {
      if (!isPlainObject(value)) return expected(form, value);
      const read = readRecord(value, shape, options);
      if (!read.ok) return new Refusal(read.faults);
      return read.warnings.length > 0 ? new Reduced(read.record, read.warnings) : read.record;
    },
  };
}

/** The fields of a kind of record that are times. */
export function timesOf({ shape: { checks } }: { shape: Pick<Shape<object>, 'checks'> }): string[] {
  return [...checks].flatMap(([name, check]) => (check === seconds ? [name] : []));
}
