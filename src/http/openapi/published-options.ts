import { Kind, type TSchema, Type } from '@sinclair/typebox';
import type { Kind as RegistryKind } from '../../registry/kinds.ts';
import type { Registered } from '../../registry/registry.ts';
import { isObject, type Json, mapParts, named, refTo } from './schema.ts';

/** The types of JSON; values of others, such as `Type.Date`, cannot be sent. */
const JSON_TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * The schema of an extension's options as the document can have it, whatever it is made of. What has a `$id` is a schema of the
 * document, as what refers to itself must be, under a name that is nobody else's: `filters.acme.words`, or
 * `filters.acme.words.<$id>`.
 */
export function publishedOptions(
  kind: RegistryKind,
  { id, options }: Pick<Registered<unknown>, 'id' | 'options'>,
): TSchema {
  const { schema } = options;
  return new Publication([kind, id].join('.')).schema(schema, identified(schema));
}

/** One schema on its way into the document. */
class Publication {
  /** The names of what stands in the document already, or is about to. */
  private readonly names = new Map<TSchema, string>();

  /** @param prefix what the names of its parts begin with */
  constructor(private readonly prefix: string) {}

  /** @param known what it may refer to */
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

  /** A part with a name of its own: whole where it is met first, and a reference from then on. */
  private once(schema: TSchema, known: readonly TSchema[]): TSchema {
    const shown = this.names.get(schema);
    if (shown !== undefined) return refTo(shown);
    const name = this.nameFor(schema.$id as string);
    this.names.set(schema, name);
    return named(name, this.plain(schema, known));
  }

  private referredTo(id: string, known: readonly TSchema[]): TSchema {
    const schema = known.find(({ $id }) => $id === id);
    // It was compiled when it was registered.
    if (schema === undefined) throw new Error(`'${this.prefix}' refers to '${id}', which is not there`);
    return this.once(schema, known);
  }

  /** TypeBox counts the schemas that it names itself: what else is loaded must not change their names. */
  private nameFor(id: string): string {
    const own = /^T\d+$/.test(id) ? [this.prefix] : [this.prefix, id];
    const name = own.join('.').replaceAll(/[^\w.-]/g, '.');
    const taken = new Set(this.names.values());
    for (let nth = 1; ; nth++) {
      const free = nth === 1 ? name : `${name}.${nth}`;
      if (!taken.has(free)) return free;
    }
  }

  /** Without the keywords that name or refer to something, which are of this document alone. */
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

/** A schema with what is said where it is referred to, which is not of the schema itself. */
function annotated(schema: TSchema, { description, default: initial }: TSchema): TSchema {
  if (description === undefined && initial === undefined) return schema;
  return Type.Unsafe({ allOf: [schema], description, default: initial });
}

/** A text that fits a regular expression. One with flags, of which JSON Schema has none, is in the description only. */
function textOf({ source, flags, minLength, maxLength, description, default: initial }: TSchema): Json {
  const fits = flags === '' ? { pattern: source } : { description: description ?? `/${source}/${flags}` };
  return { type: 'string', description, minLength, maxLength, default: initial, ...fits };
}

/** What has a default may be left out, which `required` of TypeBox does not say. */
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

/** A list with a schema for each place as JSON Schema has it since 2020; TypeBox has it as it was before. */
function tupleOfToday(schema: Json): Json {
  const { items, additionalItems, ...rest } = schema;
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: additionalItems } : schema;
}

/** No part that is true or false. */
function isSchema(part: unknown): part is TSchema {
  return isObject(part);
}

/** The parts of a schema with a `$id`, itself included, but those of modules, which are known within these alone. */
function identified(schema: TSchema): TSchema[] {
  const found: TSchema[] = schema.$id === undefined ? [] : [schema];
  if (schema[Kind] === 'Import') return found;
  mapParts({ ...schema }, (part) => {
    if (isSchema(part)) found.push(...identified(part));
    return part;
  });
  return found;
}
