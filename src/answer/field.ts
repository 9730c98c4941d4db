import type { Static, TObject, TOptional, TSchema } from '@sinclair/typebox';

/** One field of an answer: its documentation and its value. */
export interface Field<Source, Schema extends TSchema> {
  schema: Schema;
  /** Returns the value. Undefined, which only optional fields may return, omits the field from the JSON. */
  value(source: Source): Schema extends TOptional<TSchema> ? Static<Schema> | undefined : Static<Schema>;
}

/** The fields of an object by name, in the order of its JSON. */
type Table<Source> = Record<string, Field<Source, TSchema>>;
type SchemasOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { schema: infer Schema extends TSchema } ? Schema : never;
};

/** Creates a function that types the entries of a table by the source of their values. */
export function fieldsFrom<Source>() {
  return <Schema extends TSchema>(
    schema: Schema,
    value: Field<Source, Schema>['value'],
  ): Field<Source, Schema> => ({ schema, value });
}

export function schemasOf<Fields extends Table<never>>(fields: Fields): SchemasOf<Fields> {
  const entries = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return Object.fromEntries(entries) as SchemasOf<Fields>;
}

export function writerOf<Source, Fields extends Table<Source>>(
  fields: Fields,
): (source: Source) => Static<TObject<SchemasOf<Fields>>> {
  const entries = Object.entries(fields);
  return (source) => {
    const written: Record<string, unknown> = {};
    for (const [name, field] of entries) written[name] = field.value(source);
    return written as Static<TObject<SchemasOf<Fields>>>;
  };
}
