import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/**
 * The place of a default, within a schema of options, that the schema itself refuses; undefined: there is
 * none. As a JSON pointer, '' for the whole.
 */
export function unfitDefault(schema: TSchema, path = ''): string | undefined {
  if ('default' in schema && !Value.Check(schema, Value.Default(schema, undefined))) return path;
  const properties: Record<string, TSchema> = schema.properties ?? {};
  for (const [name, property] of Object.entries(properties)) {
    const unfit = unfitDefault(property, `${path}/${name}`);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}
