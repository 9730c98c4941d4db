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
  const within = { references: referencesOf(schema), known: new Map() };
  const filled = partFilledIn(schema, within, given);
  return filled === undefined ? partFilledIn(schema, within, {}) : filled;
}

/**
 * What `withDefaults` says of a part of a schema, but for that of an object of which nothing is known it makes none.
 * @param references the schemas that it may refer to
 */
export function filledIn(schema: TSchema, references: readonly TSchema[], given: unknown): unknown {
  return partFilledIn(schema, { references, known: new Map() }, given);
}

interface Within {
  /** The schemas that a part may refer to. */
  references: readonly TSchema[];
  /** What was made of objects so far, by schema: each choice of a union tries them again, and so do those around it. */
  known: Map<TSchema, Map<object, unknown>>;
}

function partFilledIn(schema: TSchema, within: Within, given: unknown): unknown {
  const value = given === undefined ? defaultOf(schema) : given;
  if (typeof value !== 'object' || value === null) return valueFilledIn(schema, within, value);
  let known = within.known.get(schema);
  if (known === undefined) {
    known = new Map();
    within.known.set(schema, known);
  }
  if (known.has(value)) return copyOf(known.get(value));
  const filled = valueFilledIn(schema, within, value);
  known.set(value, filled);
  return filled;
}

function valueFilledIn(schema: TSchema, within: Within, value: unknown): unknown {
  switch (schema[Kind]) {
    case 'Object':
    case 'Record':
      return isObject(value) ? membersFilledIn(schema, within, value) : copyOf(value);
    case 'Array':
      // One that is too long is refused as it is.
      if (!Array.isArray(value) || value.length > (schema.maxItems ?? value.length)) return value;
      return value.map((entry) => partFilledIn(schema.items, within, entry));
    case 'Tuple':
      return Array.isArray(value) ? entriesFilledIn(schema.items, within, value) : copyOf(value);
    case 'Intersect':
      return allFilledIn(schema.allOf, within, value);
    case 'Union':
      return choiceFilledIn(schema.anyOf, within, value);
    case 'Ref':
    case 'This':
      return partFilledIn(referredTo(schema.$ref, within), within, value);
    case 'Import': {
      const references = referencesWithin(schema, within.references);
      return partFilledIn(schema.$defs[schema.$ref], { ...within, references }, value);
    }
    default:
      return copyOf(value);
  }
}

function defaultOf({ default: initial }: TSchema): unknown {
  return typeof initial === 'function' ? initial() : initial;
}

function membersFilledIn(schema: TSchema, within: Within, value: Record<string, unknown>): unknown {
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
    return [name, part === undefined ? copyOf(member) : partFilledIn(part, within, member)] as const;
  });
  return Object.fromEntries(filled.filter(([, member]) => member !== undefined));
}

function entriesFilledIn(
  parts: readonly TSchema[] = [],
  within: Within,
  value: readonly unknown[],
): unknown[] {
  const places = Array.from({ length: Math.max(parts.length, value.length) }, (_, at) => at);
  return places.map((at) =>
    at < parts.length ? partFilledIn(parts[at], within, value[at]) : copyOf(value[at]),
  );
}

/** Where nothing is given, the defaults of all parts together; each then fills in what the others leave out. */
function allFilledIn(parts: readonly TSchema[], within: Within, given: unknown): unknown {
  let value = given;
  if (value === undefined) {
    const defaults = parts.map((part) => partFilledIn(part, within, undefined));
    const objects = defaults.filter(isObject);
    value = objects.length > 0 ? Object.assign({}, ...objects) : defaults.find((each) => each !== undefined);
  }
  return parts.reduce((filled, part) => partFilledIn(part, within, filled), value);
}

/** By the first choice that allows what is given as it is, else by the first that does with its defaults. */
function choiceFilledIn(parts: readonly TSchema[], within: Within, value: unknown): unknown {
  const allows = (part: TSchema, wanted: unknown) => Value.Check(part, [...within.references], wanted);
  const fitting = parts.find((part) => value !== undefined && allows(part, value));
  if (fitting !== undefined) return partFilledIn(fitting, within, value);
  for (const part of parts) {
    const filled = partFilledIn(part, within, value);
    if (allows(part, filled)) return filled;
  }
  return copyOf(value);
}

function referredTo(id: string, within: Within): TSchema {
  const schema = within.references.find(({ $id }) => $id === id);
  if (schema === undefined) throw new Error(`nothing around or before it has the $id '${id}'`);
  return schema;
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Value.Clone(value) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
