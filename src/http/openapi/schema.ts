import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { ObjectOf } from '../../answer/schema-parts.ts';

export interface Example {
  summary: string;
  value: unknown;
}

/** Names a schema: the document shows it once in `components` and refers to it elsewhere. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, $id: name };
}

/** A named object that may get further properties later. */
export function namedObject<Properties extends TProperties>(
  name: string,
  description: string,
  properties: Properties,
): TObject<Properties> {
  return named(name, ObjectOf(description, properties));
}

/** A reference to a named schema that another part of the document defines. */
export function refTo(name: string): TSchema {
  return Type.Unsafe({ $ref: `#/components/schemas/${name}` });
}

export type Json = Record<string, unknown>;

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const SCHEMA_KEYWORDS = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'not',
  'contains',
  'propertyNames',
]);
const LIST_KEYWORDS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const MAP_KEYWORDS = new Set(['properties', 'patternProperties']);

/** Collects the named schemas of a document and replaces each by a reference. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** Converts a schema to plain JSON, with references to named parts, and `examples` as in OpenAPI 3.1. */
  schema(schema: unknown): unknown {
    if (!isObject(schema)) return schema;
    const { $id, example, ...keywords } = schema;
    const plain = mapParts(keywords, (part) => this.schema(part));
    if (example !== undefined) plain.examples = [example];
    const whole = oneType(plain);
    if (typeof $id !== 'string') return whole;
    this.schemas[$id] = whole;
    return { $ref: `#/components/schemas/${$id}` };
  }

  /** Converts any part of the document. The value of a key `schema` is a schema. */
  within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.within(entry));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      if (key === 'examples' || key === 'example') return [key, inner];
      return [key, key === 'schema' ? this.schema(inner) : this.within(inner)];
    });
    return Object.fromEntries(entries);
  }
}

/** Replaces each part of a schema. A part is a schema, true or false. */
export function mapParts(schema: Json, replaced: (part: unknown) => unknown): Json {
  const replacedIn = (keyword: string, value: unknown): unknown => {
    if (SCHEMA_KEYWORDS.has(keyword)) return Array.isArray(value) ? value.map(replaced) : replaced(value);
    if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) return value.map(replaced);
    if (!MAP_KEYWORDS.has(keyword) || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, replaced(entry)]));
  };
  const keywords = Object.entries(schema).map(([keyword, value]) => [keyword, replacedIn(keyword, value)]);
  return Object.fromEntries(keywords);
}

/** Converts a union of constants to an enumeration, which more tools support. */
function oneType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const plain = anyOf.every((choice) => isObject(choice) && isConstant(choice));
  if (!plain) return schema;
  return { ...rest, enum: anyOf.map((choice: Json) => (choice.type === 'null' ? null : choice.const)) };
}

function isConstant(choice: Json): boolean {
  const { const: constant, type, ...rest } = choice;
  return Object.keys(rest).length === 0 && (typeof constant === 'string' || type === 'null');
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
