import { Kind, type TSchema } from '@sinclair/typebox';

/** The schemas that a schema is made of, each with the place of what it is about: a JSON pointer, `*` for any entry of a list or record. */
export function* partsOf(schema: TSchema): Generator<[string, TSchema]> {
  const { properties = {}, patternProperties = {}, additionalProperties: others, items } = schema;
  for (const [name, part] of Object.entries<TSchema>(properties)) yield [`/${name}`, part];
  for (const part of Object.values<TSchema>(patternProperties)) yield ['/*', part];
  if (typeof others === 'object') yield ['/*', others];
  if (Array.isArray(items)) for (const [at, part] of items.entries()) yield [`/${at}`, part];
  else if (items !== undefined) yield ['/*', items];
  for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...definitionsOf(schema)])
    yield ['', part];
}

/** The parts of a schema that others of its parts may refer to by their `$id`, itself included, from outside in. */
export function referencesOf(schema: TSchema): TSchema[] {
  const own = schema.$id === undefined ? [] : [schema];
  // What a module defines is known within the module alone.
  if (schema[Kind] === 'Import') return own;
  return [...own, ...[...partsOf(schema)].flatMap(([, part]) => referencesOf(part))];
}

/** The schemas that a part of a schema may refer to. @param around those that the schema around it may */
export function referencesWithin(part: TSchema, around: readonly TSchema[]): TSchema[] {
  return [...around, ...definitionsOf(part)];
}

/** What a module defines, of which the schema imports one. */
function definitionsOf(schema: TSchema): TSchema[] {
  return schema[Kind] === 'Import' ? Object.values(schema.$defs) : [];
}
