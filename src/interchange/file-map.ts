/**
 * Maps of foreign files from the command line: `FILE=kind:field=column,field='text',…`.
 *
 * A column name with a comma, a bracket or a quote is written in double quotes. `column[from:to,…]` replaces some of
 * its texts.
 */
import { StartupError } from '../errors.ts';
import type { FieldSource } from './columns.ts';
import { type FileMap, KINDS, type Kind, plainName } from './files.ts';
import { LINE_FIELDS } from './formats.ts';

const FORM = "FILE=kind:field=column,field='text for all lines',field=column[from:to,from:to]";
/** Suffixes of files that can be mapped. */
const ENDINGS = ['.csv', '.jsonl', '.ndjson'];

const WHOLE = /^(.+?)=(\w+)(?::(.*))?$/s;
const FIELD = /\s*(\w+)=(?:'((?:[^']|'')*)'|(?:"((?:[^"]|"")+)"|([^,'"[\]]+))(?:\[([^\]]*)\])?)\s*(,|$)/y;

/** @throws StartupError `bad_map` with the fault and the allowed form */
export function parseFileMap(given: string): FileMap {
  const [, file, kind, list = ''] = WHOLE.exec(given) ?? [];
  if (file === undefined) throw bad(given, `expected ${FORM}`);
  if (!isKind(kind)) throw bad(given, `there is no kind '${kind}'; expected one of ${KINDS.join(', ')}`);
  if (!isMappable(file)) {
    throw bad(given, `expected a file that ends with ${ENDINGS.join(', ')}, each also with .gz`);
  }
  const fields = new Map<string, FieldSource>();
  for (const [field, source] of fieldsIn(list, given)) {
    const { required, optional } = LINE_FIELDS[kind];
    const known = [...required, ...optional];
    if (!known.includes(field)) {
      throw bad(given, `${kind} have no field '${field}'; expected one of ${known.join(', ')}`);
    }
    if (fields.has(field)) throw bad(given, `the field '${field}' is given twice`);
    fields.set(field, source);
  }
  return { file, kind, fields };
}

function* fieldsIn(list: string, given: string): Generator<[string, FieldSource]> {
  for (let at = 0; at < list.length; ) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(list);
    if (match === null) throw bad(given, `'${list.slice(at)}' is not understood; expected ${FORM}`);
    const [whole, field, constant, quoted, plain, values] = match;
    at += whole.length;
    if (constant !== undefined) yield [field, { constant: constant.replaceAll("''", "'") }];
    else {
      const column = quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"');
      yield [field, { column, values: valuesIn(values, given) }];
    }
  }
}

function valuesIn(list: string | undefined, given: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of list?.split(',') ?? []) {
    const colon = pair.indexOf(':');
    if (colon < 0) throw bad(given, `'${pair}' is not understood; expected [from:to,from:to]`);
    values.set(pair.slice(0, colon).trim(), pair.slice(colon + 1).trim());
  }
  return values;
}

export function isMappable(name: string): boolean {
  return ENDINGS.some((ending) => plainName(name).endsWith(ending));
}

function isKind(text: string): text is Kind {
  return KINDS.some((kind) => kind === text);
}

function bad(given: string, reason: string): StartupError {
  return new StartupError('bad_map', `--map ${given}: ${reason}`);
}
