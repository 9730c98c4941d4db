import type { ColumnType } from './columns.ts';

/** An outline: JSON, with objects for values that JSON cannot represent. */
export type Outline =
  | number
  | string
  | boolean
  | null
  | Outline[]
  | { number: string }
  | { column: number }
  | { list: number }
  | { map: [string | number, Outline][] }
  | Fields;

interface Fields {
  of: string;
  fields: Record<string, Outline>;
}

interface ColumnTypes {
  specs: readonly { type: ColumnType }[];
  empty_specs: readonly { type: ColumnType }[];
}

/** Long number lists are written as columns of these types. */
const LIST_TYPES: readonly ColumnType[] = ['Int32Array', 'Float64Array'];
const NUMBER_TEXTS: readonly string[] = ['NaN', 'Infinity', '-Infinity', '-0'];

/** Checks untrusted outlines before they are restored, so that restoring cannot fail halfway. */
export class OutlineFit {
  constructor(private readonly types: ColumnTypes) {}

  /**
   * @param empty the outline of the new object; null where it is empty and any well-formed value fits
   * @throws Error that names the first mismatch
   */
  require(outline: Outline, empty: Outline, path = ''): void {
    const form = formOf(outline);
    need(form !== undefined && (empty === null || form === formOf(empty)), path);
    if (outline === null || typeof outline !== 'object') return;
    const known = partOf(empty);
    if (Array.isArray(outline)) {
      for (const [index, each] of outline.entries()) this.require(each, null, `${path}/${index}`);
    } else if ('number' in outline) need(NUMBER_TEXTS.includes(outline.number), path);
    else if ('list' in outline) need(LIST_TYPES.includes(this.types.specs[outline.list]?.type), path);
    else if ('column' in outline) {
      const { specs, empty_specs } = this.types;
      const type = specs[outline.column]?.type;
      need(
        known !== undefined && 'column' in known
          ? type === empty_specs[known.column].type
          : type !== undefined,
        path,
      );
    } else if ('map' in outline)
      this.requireMap(outline.map, known !== undefined && 'map' in known ? known.map : [], path);
    else this.requireFields(outline, known !== undefined && 'fields' in known ? known : undefined, path);
  }

  /** Checks a map. It must contain all entries of the new object. */
  private requireMap(entries: [string | number, Outline][], empty: typeof entries, path: string): void {
    need(Array.isArray(entries), path);
    const missing = new Map(empty);
    for (const entry of entries) {
      need(Array.isArray(entry) && ['string', 'number'].includes(typeof entry[0]), path);
      const [key, each] = entry;
      this.require(each, missing.get(key) ?? null, `${path}/${key}`);
      missing.delete(key);
    }
    need(missing.size === 0, path);
  }

  /** @param empty undefined for objects in lists or maps, which have no class of their own */
  private requireFields(
    { of, fields }: Fields,
    empty: Fields | undefined = { of: 'Object', fields },
    path: string,
  ): void {
    need(of === empty.of && typeof fields === 'object' && fields !== null, path);
    const names = Object.keys(fields);
    need(names.length === Object.keys(empty.fields).length, path);
    for (const name of names) {
      need(name !== '__proto__' && Object.hasOwn(empty.fields, name), path);
      this.require(fields[name], empty.fields === fields ? null : empty.fields[name], `${path}/${name}`);
    }
  }
}

function need(fits: boolean, path: string): void {
  if (!fits) throw new Error(`the outline does not fit at '${path || '/'}'`);
}

function partOf(
  outline: Outline,
): Exclude<Outline, number | string | boolean | null | Outline[]> | undefined {
  const is_part = typeof outline === 'object' && outline !== null && !Array.isArray(outline);
  return is_part ? outline : undefined;
}

function formOf(outline: Outline): string | undefined {
  if (outline === null || typeof outline !== 'object') return typeof outline;
  if (Array.isArray(outline)) return 'list';
  return ['number', 'list', 'column', 'map', 'fields'].find((form) => Object.hasOwn(outline, form));
}
