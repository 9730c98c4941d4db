import { Kind, type TSchema } from '@sinclair/typebox';

/**
 * Yields the parts of a schema, each with a JSON pointer to its value.
 *
 * `*` stands for any entry of a list or record.
 */
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

/** Lists the parts of a schema that have an `$id`, outermost first, including the schema itself. */
export function referencesOf(schema: TSchema): TSchema[] {
  const own = schema.$id === undefined ? [] : [schema];
  // Definitions of a module are only visible within the module.
  if (schema[Kind] === 'Import') return own;
  return [...own, ...[...partsOf(schema)].flatMap(([, part]) => referencesOf(part))];
}

/** Lists the schemas that a part may refer to. @param around the schemas that the enclosing schema may refer to */
export function referencesWithin(part: TSchema, around: readonly TSchema[]): TSchema[] {
  return [...around, ...definitionsOf(part)];
}

/** Returns the definitions of a module, one of which the schema imports. */
function definitionsOf(schema: TSchema): TSchema[] {
  return schema[Kind] === 'Import' ? Object.values(schema.$defs) : [];
}
