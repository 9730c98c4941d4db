import { Kind, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { isRecord } from './member-checks.ts';
import { referencesOf, referencesWithin } from './schema-parts.ts';

/**
 * Fills in the defaults of missing options: the default of the whole if nothing is given, else those of missing
 * members.
 *
 * TypeBox's `Value.Default` differs: it merges a default object into a given object. The result shares no objects
 * with `given`.
 * @param schema counts text lengths in characters: see `countingCharacters`
 * @param given undefined if there are no options
 */
export function withDefaults(schema: TSchema, given: unknown): unknown {
  const within = { references: referencesOf(schema), known: new Map(), has_defaults: new Map() };
  const filled = partFilledIn(schema, within, given);
  return filled === undefined ? partFilledIn(schema, within, {}) : filled;
}

/**
 * Like `withDefaults` for a part of a schema, but does not create an object if nothing is given and it has no
 * default.
 * @param references the schemas that the part may refer to
 */
export function filledIn(schema: TSchema, references: readonly TSchema[], given: unknown): unknown {
  return partFilledIn(schema, { references, known: new Map(), has_defaults: new Map() }, given);
}

interface Within {
  references: readonly TSchema[];
  /** Results by schema and object. Nested unions try the same choices repeatedly. */
  known: Map<TSchema, Map<object, unknown>>;
  has_defaults: Map<object, boolean>;
}

/** Whether there may be a default in a part of a schema. */
function hasDefaults(part: unknown, known: Within['has_defaults']): boolean {
  if (typeof part !== 'object' || part === null) return false;
  let has = known.get(part);
  if (has === undefined) {
    has = 'default' in part || '$ref' in part || Object.values(part).some((each) => hasDefaults(each, known));
    known.set(part, has);
  }
  return has;
}

function partFilledIn(schema: TSchema, within: Within, given: unknown): unknown {
  const value = given === undefined ? defaultOf(schema) : given;
  if (typeof value !== 'object' || value === null) return valueFilledIn(schema, within, value);
  // A choice between forms is costly, and a list may have a hundred thousand entries.
  if (!hasDefaults(schema, within.has_defaults)) return copyOf(value);
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
      return isRecord(value) ? membersFilledIn(schema, within, value) : copyOf(value);
    case 'Array':
      // An array above the maximum is returned as it is, and then rejected.
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

/** Merges the defaults of all parts if nothing is given. Otherwise each part fills in its own members. */
function allFilledIn(parts: readonly TSchema[], within: Within, given: unknown): unknown {
  let value = given;
  if (value === undefined) {
    const defaults = parts.map((part) => partFilledIn(part, within, undefined));
    const objects = defaults.filter(isRecord);
    value = objects.length > 0 ? Object.assign({}, ...objects) : defaults.find((each) => each !== undefined);
  }
  return parts.reduce((filled, part) => partFilledIn(part, within, filled), value);
}

/** Uses the first choice that accepts the value as it is, else the first that accepts it with defaults. */
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
  if (schema === undefined) throw new Error(`no enclosing schema has the $id '${id}'`);
  return schema;
}

/** Lists and plain objects are copied here, because `Value.Clone` takes microseconds for each. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (Object.getPrototypeOf(value) !== Object.prototype) return Value.Clone(value);
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = copyOf(value[name as keyof typeof value]);
  return copy;
}
