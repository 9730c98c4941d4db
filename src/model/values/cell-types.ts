/** How values of fields are written where only texts can be, such as CSV. */

/**
 * The type of a value.
 *
 * `list`: a JSON array, or texts separated by `|`. `json`: a JSON object or array. `vector`: a JSON array or base64. Other
 * fields are texts. Identifiers are texts, so `007` is not `7`.
 */
export type CellType = 'identifier' | 'time' | 'number' | 'flag' | 'list' | 'json' | 'vector';

/** By the name of the field. */
export type CellTypes = ReadonlyMap<string, CellType>;

/** The parts of JSON Schema that decide how a value is read. */
interface Schema {
  description?: string;
  type?: string;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
}

/** How the fields of a record are read, by its JSON Schema. */
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
  if (types.has('string')) {
    if (types.has('integer')) return 'identifier';
    return types.has('number') ? 'time' : undefined;
  }
  return types.has('number') || types.has('integer') ? 'number' : undefined;
}
