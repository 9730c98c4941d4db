import { Kind, type TSchema, Type } from '@sinclair/typebox';
import type { Kind as RegistryKind } from '../../registry/kinds.ts';
import type { Registered } from '../../registry/registry.ts';
import { isObject, type Json, mapParts, named, refTo } from './schema.ts';

/** The types of JSON. Values of other types, such as `Type.Date`, cannot be sent. */
const JSON_TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * Converts the option schema of an extension to the form that the document publishes.
 *
 * A schema with a `$id` becomes a component of the document, which recursive schemas need. Its name is unique:
 * `filters.acme.words`, or `filters.acme.words.<$id>`.
 */
export function publishedOptions(
  kind: RegistryKind,
  { id, options }: Pick<Registered<unknown>, 'id' | 'options'>,
): TSchema {
  const { schema } = options;
  return new Publication([kind, id].join('.')).schema(schema, identified(schema));
}

class Publication {
  /** Names of the schemas that are components already, or are being converted. */
  private readonly names = new Map<TSchema, string>();

  constructor(private readonly prefix: string) {}

  /** @param known schemas that `schema` may refer to */
  schema(schema: TSchema, known: readonly TSchema[]): TSchema {
    switch (schema[Kind]) {
      case 'Ref':
      case 'This':
        return annotated(this.referredTo(schema.$ref, known), schema);
      case 'Import':
        return this.schema(schema.$defs[schema.$ref], [...known, ...Object.values<TSchema>(schema.$defs)]);
      default:
        return schema.$id === undefined ? this.plain(schema, known) : this.once(schema, known);
    }
  }

  /** A part with its own name: the schema at its first use, a reference afterwards. */
  private once(schema: TSchema, known: readonly TSchema[]): TSchema {
    const shown = this.names.get(schema);
    if (shown !== undefined) return refTo(shown);
    const name = this.nameFor(schema.$id as string);
    this.names.set(schema, name);
    return named(name, this.plain(schema, known));
  }

  private referredTo(id: string, known: readonly TSchema[]): TSchema {
    const schema = known.find(({ $id }) => $id === id);
    // Cannot happen: the schema was compiled when the plugin was registered.
    if (schema === undefined) throw new Error(`'${this.prefix}' refers to '${id}', which is not there`);
    return this.once(schema, known);
  }

  /** TypeBox numbers the schemas that it names, so its names would depend on which other plugins are loaded. */
  private nameFor(id: string): string {
    const own = /^T\d+$/.test(id) ? [this.prefix] : [this.prefix, id];
    const name = own.join('.').replaceAll(/[^\w.-]/g, '.');
    const taken = new Set(this.names.values());
    for (let nth = 1; ; nth++) {
      const free = nth === 1 ? name : `${name}.${nth}`;
      if (!taken.has(free)) return free;
    }
  }

  /** Removes the keywords that name or refer to a schema. They are only valid within the original. */
  private plain(schema: TSchema, known: readonly TSchema[]): TSchema {
    const { type, description } = schema;
    if (schema[Kind] === 'RegExp') return Type.Unsafe(textOf(schema));
    if (type !== undefined && !JSON_TYPES.includes(type)) return Type.Unsafe({ description, not: {} });
    const keywords = Object.entries(schema).filter(([keyword]) => !keyword.startsWith('$'));
    const parts = mapParts(Object.fromEntries(keywords), (part) =>
      isSchema(part) ? this.schema(part, known) : part,
    );
    return Type.Unsafe(tupleOfToday(withoutDefaulted(parts)));
  }
}

/** Adds the description and default of a reference to the schema that it refers to. */
function annotated(schema: TSchema, { description, default: initial }: TSchema): TSchema {
  if (description === undefined && initial === undefined) return schema;
  return Type.Unsafe({ allOf: [schema], description, default: initial });
}

/** A text that matches a regular expression. JSON Schema has no flags; those go into the description only. */
function textOf({ source, flags, minLength, maxLength, description, default: initial }: TSchema): Json {
  const fits = flags === '' ? { pattern: source } : { description: description ?? `/${source}/${flags}` };
  return { type: 'string', description, minLength, maxLength, default: initial, ...fits };
}

/** Fields with a default are optional, although TypeBox lists them in `required`. */
function withoutDefaulted(schema: Json): Json {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return schema;
  const needed = required.filter((name) => {
    const part = properties[name];
    return !(isObject(part) && part.default !== undefined);
  });
  if (needed.length > 0) return { ...schema, required: needed };
  const { required: _, ...rest } = schema;
  return rest;
}

/** Converts a tuple from the form that TypeBox uses to the form of JSON Schema 2020-12. */
function tupleOfToday(schema: Json): Json {
  const { items, additionalItems, ...rest } = schema;
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: additionalItems } : schema;
}

/** Whether a part is an object schema, not true or false. */
function isSchema(part: unknown): part is TSchema {
  return isObject(part);
}

/** All parts with a `$id`, including the schema itself. Parts of modules are left out: their ids are local. */
function identified(schema: TSchema): TSchema[] {
  const found: TSchema[] = schema.$id === undefined ? [] : [schema];
  if (schema[Kind] === 'Import') return found;
  mapParts({ ...schema }, (part) => {
    if (isSchema(part)) found.push(...identified(part));
    return part;
  });
  return found;
}
