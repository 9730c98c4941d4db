import type { TObject, TSchema } from '@sinclair/typebox';
import { type CellTypes, cellTypesOf } from './cells.ts';
import type { Shape } from './record.ts';
import type { FieldCheck } from './refusal.ts';
import * as part from './schema-parts.ts';
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

type Fields = Readonly<Record<string, Field<unknown>>>;
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

/** A kind of record: how it is checked and how it is documented. */
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
  description: string,
  example: unknown,
): RequiredField<T> {
  return { schema: part.required(schema, description, example), check, is_required: true };
}

/** `null` means absent. */
export function optional<T>(
  { schema, check }: ValueType<T>,
  description: string,
  example: unknown,
): Field<T> {
  return { schema: part.optional(schema, description, example), check };
}

export function recordType<F extends Fields>(title: string, description: string, fields: F): RecordType<F> {
  const entries = Object.entries(fields);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const schema = part.recordOf(title, description, properties);
  const required_fields = entries.filter(([, field]) => 'is_required' in field).map(([name]) => name);
  const shape = {
    checks: new Map(entries.map(([name, { check }]) => [name, check])),
    required: required_fields as (keyof FieldsOf<F> & string)[],
  };
  return { shape, schema, cells: cellTypesOf(schema) };
}
