import { Kind, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { referencesOf, referencesWithin } from './schema-parts.ts';

/**
 * Options with the defaults of what is left out: the default of the whole where nothing is given, and within an object
 * those of its members. TypeBox's own `Value.Default` adds a default object to the object that is given. The result
 * shares nothing with what was given.
 * @param schema that lengths are to be counted by: see `countingCharacters`
 * @param given undefined: nothing
 */
export function withDefaults(schema: TSchema, given: unknown): unknown {
  const references = referencesOf(schema);
  const filled = filledIn(schema, references, given);
  return filled === undefined ? filledIn(schema, references, {}) : filled;
}

/**
 * What `withDefaults` says of a part of a schema, but for that of an object of which nothing is known it makes none.
 * @param references the schemas that it may refer to
 */
export function filledIn(schema: TSchema, references: readonly TSchema[], given: unknown): unknown {
  const value = given === undefined ? defaultOf(schema) : given;
  switch (schema[Kind]) {
    case 'Object':
    case 'Record':
      return isObject(value) ? membersFilledIn(schema, references, value) : copyOf(value);
    case 'Array':
      if (!Array.isArray(value)) return copyOf(value);
      return value.map((entry) => filledIn(schema.items, references, entry));
    case 'Tuple':
      return Array.isArray(value) ? entriesFilledIn(schema.items, references, value) : copyOf(value);
    case 'Intersect':
      return allFilledIn(schema.allOf, references, value);
    case 'Union':
      return choiceFilledIn(schema.anyOf, references, value);
    case 'Ref':
    case 'This':
      return filledIn(referredTo(schema.$ref, references), references, value);
    case 'Import':
      return filledIn(schema.$defs[schema.$ref], referencesWithin(schema, references), value);
    default:
      return copyOf(value);
  }
}

function defaultOf({ default: initial }: TSchema): unknown {
  return typeof initial === 'function' ? initial() : initial;
}

function membersFilledIn(
  schema: TSchema,
  references: readonly TSchema[],
  value: Record<string, unknown>,
): unknown {
  const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
  const patterns = Object.entries<TSchema>(patternProperties).map(
    ([pattern, part]) => [new RegExp(pattern), part] as const,
  );
  const partOf = (name: string): TSchema | undefined => {
    if (Object.hasOwn(properties, name)) return properties[name];
    const part = patterns.find(([pattern]) => pattern.test(name))?.[1];
    return part ?? (typeof others === 'object' ? others : undefined);
  };
  const absent = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  const members = [...Object.entries(value), ...absent.map((name) => [name, undefined] as const)];
  const filled = members.map(([name, member]) => {
    const part = partOf(name);
    return [name, part === undefined ? copyOf(member) : filledIn(part, references, member)] as const;
  });
  return Object.fromEntries(filled.filter(([, member]) => member !== undefined));
}

function entriesFilledIn(
  parts: readonly TSchema[] = [],
  references: readonly TSchema[],
  value: readonly unknown[],
): unknown[] {
  const places = Array.from({ length: Math.max(parts.length, value.length) }, (_, at) => at);
  return places.map((at) =>
    at < parts.length ? filledIn(parts[at], references, value[at]) : copyOf(value[at]),
  );
}

/** Where nothing is given, the defaults of all parts together; each then fills in what the others leave out. */
function allFilledIn(parts: readonly TSchema[], references: readonly TSchema[], given: unknown): unknown {
  let value = given;
  if (value === undefined) {
    const defaults = parts.map((part) => filledIn(part, references, undefined));
    const objects = defaults.filter(isObject);
    value = objects.length > 0 ? Object.assign({}, ...objects) : defaults.find((each) => each !== undefined);
  }
  return parts.reduce((filled, part) => filledIn(part, references, filled), value);
}

/** By the first choice that allows what is given as it is, else by the first that does with its defaults. */
function choiceFilledIn(parts: readonly TSchema[], references: readonly TSchema[], value: unknown): unknown {
  const allows = (part: TSchema, wanted: unknown) => Value.Check(part, [...references], wanted);
  const fitting = parts.find((part) => value !== undefined && allows(part, value));
  if (fitting !== undefined) return filledIn(fitting, references, value);
  for (const part of parts) {
    const filled = filledIn(part, references, value);
    if (allows(part, filled)) return filled;
  }
  return copyOf(value);
}

function referredTo(id: string, references: readonly TSchema[]): TSchema {
  const schema = references.find(({ $id }) => $id === id);
  if (schema === undefined) throw new Error(`nothing around or before it has the $id '${id}'`);
  return schema;
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Value.Clone(value) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
