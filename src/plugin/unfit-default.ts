import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { allows } from './text-length.ts';

/**
 * The place of a default, within a schema of options, that the schema itself refuses; undefined: there is
 * none. As a JSON pointer, '' for the whole, with `*` for any entry of a list or record.
 * @param around schemas that this one lies in: it may refer to one of them
 */
export function unfitDefault(
  schema: TSchema,
  path = '',
  around: readonly TSchema[] = [],
): string | undefined {
  const known = schema.$id === undefined ? [...around] : [...around, schema];
  if ('default' in schema && !allows(schema, Value.Default(schema, known, undefined), known)) return path;
  for (const [name, part] of partsOf(schema)) {
    const unfit = unfitDefault(part, path + name, known);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}

/** The schemas that a schema is made of, each with the place of what it is about. */
function* partsOf(schema: TSchema): Generator<[string, TSchema]> {
  const { properties = {}, patternProperties = {}, additionalProperties: others, items } = schema;
  for (const [name, part] of Object.entries<TSchema>(properties)) yield [`/${name}`, part];
  for (const part of Object.values<TSchema>(patternProperties)) yield ['/*', part];
  if (typeof others === 'object') yield ['/*', others];
  if (Array.isArray(items)) for (const [at, part] of items.entries()) yield [`/${at}`, part];
  else if (items !== undefined) yield ['/*', items];
  for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) yield ['', part];
}
