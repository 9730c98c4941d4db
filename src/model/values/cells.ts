/** Converts CSV cells, which are all text, to the values that the parsers of records take. */

import { parseJson } from '../../plugin/json.ts';
import type { JsonPath } from '../../plugin/json-members.ts';
import { Refusal } from './refusal.ts';
import { repeatedAt } from './repeated.ts';

/**
 * The type of a cell's text.
 *
 * `list`: a JSON array, or texts separated by `|`. `json`: a JSON object or array. `vector`: a JSON array or base64. Other
 * columns are texts. Identifiers are texts, so `007` is not `7`.
 */
type CellType = 'number' | 'flag' | 'list' | 'json' | 'vector';

/** By the name of the column. */
export type CellTypes = ReadonlyMap<string, CellType>;

/** The parts of JSON Schema that decide how a cell is read. */
interface Schema {
  description?: string;
  type?: string;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
}

/** How the cells of a record are read, by its JSON Schema. */
export function cellTypesOf({ properties = {} }: Schema): CellTypes {
  const types = new Map<string, CellType>();
  for (const [name, schema] of Object.entries(properties)) {
    const type = cellTypeOf(new Set(typesOf(schema)));
    if (type !== undefined) types.set(name, type);
  }
  return types;
}

function typesOf({ type, anyOf = [] }: Schema): string[] {
  return type === undefined ? anyOf.flatMap(typesOf) : [type];
}

function cellTypeOf(types: ReadonlySet<string>): CellType | undefined {
  if (types.has('boolean')) return 'flag';
  if (types.has('array')) return types.has('string') ? 'vector' : 'list';
  if (types.has('object')) return 'json';
  // A time is a number or a text. An identifier is a text or an integer.
  return types.has('number') || (types.has('integer') && !types.has('string')) ? 'number' : undefined;
}

/** A decimal number as spreadsheets and data frames write it (`1.7e+09`). */
const DECIMAL = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/;
/** The texts that databases write for true and false. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((text) => [text, false] as const),
]);
const LIST_SEPARATOR = '|';

/**
 * Converts a CSV row, header name → text, to the input of its parser.
 *
 * Empty cells are left out. Texts of numbers, flags, lists and JSON are converted. Other texts stay, and the parser
 * refuses them with a message. An empty `author_id` means an unknown author. The result has no prototype, so that any
 * header is harmless.
 */
export function coerceCsv(types: CellTypes, row: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(row)) {
    const text = row[name];
    const type = types.get(name);
    if (text !== '') fields[name] = type === undefined ? text : converted(type, text);
    else if (name === 'author_id') fields[name] = null;
  }
  return fields;
}

/** A text of a CSV cell that means true. */
export function isTrue(text: string): boolean {
  return FLAGS.get(text.toLowerCase()) === true;
}

function converted(type: CellType, text: string): unknown {
  switch (type) {
    case 'number':
      return DECIMAL.test(text) ? Number(text) : text;
    case 'flag':
      return FLAGS.get(text.toLowerCase()) ?? text;
    case 'list':
      return /^\s*[[{]/.test(text) ? parsedJson(text) : text.split(LIST_SEPARATOR);
    case 'json':
      return parsedJson(text);
    case 'vector':
      return text.trimStart().startsWith('[') ? parsedJson(text) : text;
  }
}

function parsedJson(text: string): unknown {
  const repeated: JsonPath[] = [];
  try {
    const value = parseJson(text, undefined, { repeated, long_numbers: 'noted' });
    return repeated.length > 0 ? new Refusal(repeated.map(repeatedAt)) : value;
  } catch {
    return text;
  }
}
