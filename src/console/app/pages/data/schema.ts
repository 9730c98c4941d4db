import { ADDRESS } from '../../session.ts';
import { KIND_SPECS, type Kind } from './kinds.ts';

/** The parts of JSON Schema that records use. */
export interface Schema {
  description?: string;
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

export type Schemas = Readonly<Record<Kind, Schema>>;

/** A field of a kind, as the mapping form shows it. */
export interface RecordField {
  name: string;
  description: string;
  is_required: boolean;
  /** The allowed texts, if there are few. */
  values?: readonly string[];
}

const COUNTS = ['likes_count', 'comments_count', 'shares_count'];

/** The schemas of records, from the document that describes the API. */
export async function loadSchemas(signal: AbortSignal): Promise<Schemas> {
  const answer = await fetch(`${ADDRESS}swagger/json`, { signal });
  if (!answer.ok) throw new Error(`The service did not describe its records (status ${answer.status}).`);
  const { components } = (await answer.json()) as { components: { schemas: Record<string, Schema> } };
  const named = (kind: Kind): Schema => components.schemas[KIND_SPECS[kind].schema];
  return {
    users: named('users'),
    items: named('items'),
    follows: named('follows'),
    blocks: named('blocks'),
    engagement: engagementSchema(named('items')),
    interactions: named('interactions'),
  };
}

/** Counters of an item at a time, as lines of `engagement.csv` are. */
function engagementSchema({ properties = {} }: Schema): Schema {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, properties[name]]));
  return {
    type: 'object',
    required: ['item_id', 'timestamp'],
    properties: { item_id: properties.item_id, timestamp: properties.updated_at, ...counts },
  };
}

/** The fields of a kind: first those that a file must have. */
export function fieldsOf(kind: Kind, { properties = {}, required = [] }: Schema): RecordField[] {
  const needed = new Set([...required, ...KIND_SPECS[kind].also_required]);
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    is_required: needed.has(name),
    values: valuesOf(schema),
  }));
  return fields.sort((one, other) => Number(other.is_required) - Number(one.is_required));
}

function valuesOf(schema: Schema): readonly string[] | undefined {
  const found = schema.enum ?? schema.anyOf?.find((one) => one.enum !== undefined)?.enum;
  return found?.map(String);
}

/** What is wrong with the shape of a record; undefined: nothing. */
export function faultOf(record: Readonly<Record<string, unknown>>, schema: Schema): string | undefined {
  for (const name of schema.required ?? [])
    if (record[name] === undefined || record[name] === null) return `${name}: is required`;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = record[name];
    if (value !== undefined && !fits(value, field))
      return `${name}: expected ${expected(field)}; got ${shown(value)}`;
  }
  return undefined;
}

const SHOWN_LENGTH_MAX = 40;

/** A value as JSON, shortened. */
function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= SHOWN_LENGTH_MAX ? json : `${json.slice(0, SHOWN_LENGTH_MAX)}…`;
}

function fits(value: unknown, schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => fits(value, one));
  if (schema.enum !== undefined) return schema.enum.includes(value);
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && fitsText(value, schema);
    case 'integer':
      return Number.isInteger(value) && fitsRange(Number(value), schema);
    case 'number':
      return typeof value === 'number' && fitsRange(value, schema);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return (
        Array.isArray(value) && value.every((one) => schema.items === undefined || fits(one, schema.items))
      );
    case 'object':
      return (
        typeof value === 'object' && value !== null && !Array.isArray(value) && fitsObject(value, schema)
      );
    default:
      return true;
  }
}

function fitsObject(
  value: object,
  { properties = {}, required = [], additionalProperties }: Schema,
): boolean {
  if (required.some((name) => !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, one]) => {
    if (Object.hasOwn(properties, name)) return fits(one, properties[name]);
    return typeof additionalProperties !== 'object' || fits(one, additionalProperties);
  });
}

function fitsRange(value: number, { minimum = -Infinity, maximum = Infinity }: Schema): boolean {
  return value >= minimum && value <= maximum;
}

const patterns = new Map<string, RegExp>();

function fitsText(text: string, { minLength = 0, maxLength = Infinity, pattern }: Schema): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern === undefined) return true;
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(text);
}

function expected(schema: Schema): string {
  if (schema.anyOf !== undefined) {
    const parts = schema.anyOf.filter(({ type }) => type !== 'null').map(expected);
    return [...new Set(parts)].join(', or ');
  }
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  const { type, minimum, maximum, minLength, maxLength, description } = schema;
  if (type === 'string') {
    if (maxLength !== undefined) return `a text of ${minLength ?? 0} to ${maxLength} characters`;
    return description === undefined ? 'a text' : `a text (${description.split('.')[0]})`;
  }
  if (type === 'integer') return `a whole number from ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
  if (type === 'number') return `a number from ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
  if (type === 'boolean') return 'true or false';
  return type === 'array' ? 'a list' : `a value of the type ${type}`;
}
