import type { Static, TObject, TOptional, TSchema } from '@sinclair/typebox';

/** One field of an answer: how the API documents it, and where its value comes from. */
export interface Field<Source, Schema extends TSchema> {
  schema: Schema;
  /** Undefined, which only optional fields may be, leaves the field out of the JSON. */
  value(source: Source): Schema extends TOptional<TSchema> ? Static<Schema> | undefined : Static<Schema>;
}

/** The fields of an object by name, in the order of its JSON. */
type Table<Source> = Record<string, Field<Source, TSchema>>;
type SchemasOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { schema: infer Schema extends TSchema } ? Schema : never;
};

/** Makes entries of a table whose values are read from one kind of source. */
export function fieldsFrom<Source>() {
  return <Schema extends TSchema>(
    schema: Schema,
    value: Field<Source, Schema>['value'],
  ): Field<Source, Schema> => ({ schema, value });
}

/** The documentation of a table, as `Type.Object` takes it. */
export function schemasOf<Fields extends Table<never>>(fields: Fields): SchemasOf<Fields> {
  const entries = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return Object.fromEntries(entries) as SchemasOf<Fields>;
}

/** Writes the object that a table describes. */
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
