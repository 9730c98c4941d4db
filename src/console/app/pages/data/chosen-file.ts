import { type Columns, columnsOf } from '../../../../mapping/columns.ts';
import type { FieldSource, Rule } from '../../../../mapping/map.ts';
import { mappedValues } from '../../../../mapping/values.ts';
import { isPlainObject } from '../../../../model/values/refusal.ts';
import type { TimeUnit } from '../../../../model/values/time.ts';
import { parseJson } from '../../../../plugin/json.ts';
import { csvFields } from '../../../../rows/csv.ts';
import {
  fieldsOf,
  guessColumn,
  guessKind,
  KIND_SPECS,
  type Kind,
  plainName,
  type RecordField,
} from './kinds.ts';
import { type FileRecord, recordsOf } from './records.ts';

interface Preview {
  columns: readonly string[];
  /** Cells as text, as many as columns. */
  rows: readonly (readonly string[])[];
}

const ROWS_SHOWN = 5;
/** Lines of JSON whose fields become columns. */
const LINES_READ = 100;

/** Reads the first lines of a file. @throws Error if it cannot be read, or has no lines */
async function previewOf(file: File, is_csv: boolean): Promise<Preview> {
  const records: FileRecord[] = [];
  for await (const { parts } of recordsOf(file, is_csv)) {
    records.push(...parts.slice(0, LINES_READ - records.length));
    if (records.length === LINES_READ) break;
  }
  if (records.length === 0) throw new Error('the file is empty');
  if (is_csv) {
    const [header, ...rows] = records.map(({ text }) => csvFields(text) ?? []);
    return { columns: header.map((cell) => cell.trim()), rows: rows.slice(0, ROWS_SHOWN) };
  }
  const values = records.map(({ text }) => objectIn(text));
  const columns = [...new Set(values.flatMap((value) => Object.keys(value)))];
  const rows = values.slice(0, ROWS_SHOWN).map((value) => columns.map((column) => cellOf(value[column])));
  return { columns, rows };
}

/** Bad lines are reported when the file is read as a whole. */
function objectIn(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The source of a field as the form has it. */
export interface FieldChoice {
  field: string;
  /** Undefined: no column. Then `text` stands for all lines. */
  column?: string;
  text: string;
  /** `from:to, from:to` */
  replacements: string;
}

/** A file that somebody has chosen, and how it is to be read. */
export interface ChosenFile {
  id: number;
  file: File;
  is_csv: boolean;
  preview: Preview;
  /** Undefined: the file is left out. */
  kind: Kind | undefined;
  choices: readonly FieldChoice[];
  time_unit: TimeUnit;
}

/** Reads the beginning of a file and guesses what it is. @throws Error if it cannot be read */
export async function chosenFile(id: number, file: File): Promise<ChosenFile> {
  const is_csv = plainName(file.name).endsWith('.csv');
  const preview = await previewOf(file, is_csv);
  const kind = guessKind(file.name);
  const choices = kind === undefined ? [] : guessedChoices(kind, preview);
  return { id, file, is_csv, preview, kind, choices, time_unit: 's' };
}

/** What the fields of a kind probably are in a file. */
export function guessedChoices(kind: Kind, { columns }: Preview): FieldChoice[] {
  const { usual } = KIND_SPECS[kind];
  return fieldsOf(kind).flatMap(({ name, is_required }): FieldChoice[] => {
    const column = guessColumn(kind, name, columns);
    const is_shown = is_required || column !== undefined || usual.includes(name);
    return is_shown ? [{ field: name, column, text: '', replacements: '' }] : [];
  });
}

/** A field that must have a source and has none; undefined: the file can be read, or is left out. */
export function missingField({ kind, choices }: ChosenFile): RecordField | undefined {
  const fields = kind === undefined ? [] : fieldsOf(kind);
  return fields.find(({ name, is_required }) => {
    const choice = choices.find(({ field }) => field === name);
    return is_required && (choice === undefined || (choice.column === undefined && choice.text === ''));
  });
}

/** Whether the names of the columns are those of the fields, so that nobody needs to choose. */
export function isPlain({ choices, preview: { columns } }: ChosenFile): boolean {
  const own = choices.filter(({ column }) => column !== undefined);
  return own.every(({ field, column }) => field === column) && own.length === columns.length;
}

/** A record as the API takes it, or what is wrong with its line. */
export type Line = { record: Record<string, unknown> } | { fault: string };

/** Reads the records of a file. For the header of CSV, it returns undefined. */
export function lineReader(kind: Kind, { is_csv, choices, time_unit }: ChosenFile) {
  // The columns have all the names that the fields need: they were chosen from a list.
  const type = { cells: KIND_SPECS[kind].record.cells, required: [], optional: [] };
  const map = { fields: new Map(choices.flatMap(sourceOf)), skips: [] };
  const valueReader = mappedValues(type, map, { time_unit });
  let columns: Columns | undefined;
  const readRow = (text: string): Line | undefined => {
    const texts = csvFields(text) ?? [];
    if (columns === undefined) {
      const found = columnsOf(
        texts.map((name) => name.trim()),
        type,
        map,
        { time_unit },
      );
      if ('fault' in found) throw new Error(found.fault);
      columns = found;
      return undefined;
    }
    const { count, rowOf } = columns;
    if (texts.length !== count)
      return { fault: `expected ${count} fields as in the header; got ${texts.length}` };
    return { record: rowOf(texts).fields };
  };
  const readJson = (text: string): Line => {
    try {
      const value = parseJson(text, undefined, { long_numbers: 'noted' });
      if (!isPlainObject(value)) return { fault: 'expected a JSON object' };
      return { record: valueReader(value).fields };
    } catch (error) {
      // Some browsers name the line and column of the text, which is one line.
      const why = error instanceof Error ? error.message.replace(/ \(line .*\)$/, '') : String(error);
      return { fault: `not valid JSON: ${why}` };
    }
  };
  return is_csv ? readRow : readJson;
}

function sourceOf({ field, column, text, replacements }: FieldChoice): [string, FieldSource][] {
  if (column !== undefined) return [[field, { column, rules: rulesIn(replacements) }]];
  return text === '' ? [] : [[field, { constant: text }]];
}

/** `from:to, from:to` as it is typed. Parts without a colon are not ready yet. */
function rulesIn(text: string): Rule[] {
  const pairs = text.split(',').map((pair) => pair.split(':', 2).map((part) => part.trim()));
  return pairs.flatMap(([is, to]) => (to === undefined ? [] : [{ when: { is }, to }]));
}
