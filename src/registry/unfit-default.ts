import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { countingCharacters } from './counted-text.ts';
import { filledIn } from './defaults.ts';
import { partsOf, referencesOf, referencesWithin } from './schema-parts.ts';

/**
 * Finds a default within a schema of options that the schema itself rejects. Undefined if there is none.
 *
 * The result is a JSON pointer: '' for the whole, and `*` for any entry of a list or record.
 */
export function unfitDefault(schema: TSchema): string | undefined {
  const counted = countingCharacters(schema);
  return unfitWithin(counted, referencesOf(counted), '');
}

function unfitWithin(schema: TSchema, around: readonly TSchema[], path: string): string | undefined {
  if ('default' in schema && !Value.Check(schema, [...around], filledIn(schema, around, undefined)))
    return path;
  const references = referencesWithin(schema, around);
  for (const [name, part] of partsOf(schema)) {
    const unfit = unfitWithin(part, references, path + name);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}
