import { csvFields } from '../../../../interchange/csv.ts';
import { guessColumn, guessKind, KIND_SPECS, type Kind, plainName } from './kinds.ts';
import { linesOf } from './lines.ts';
import { replacementsIn, type Source, type TimeUnit } from './record-reader.ts';
import { fieldsOf, type RecordField, type Schemas } from './schema.ts';

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
  const records = await firstRecords(file, is_csv);
  if (records.length === 0) throw new Error('the file is empty');
  if (is_csv) {
    const [header, ...rows] = records.map((record) => csvFields(record) ?? []);
    return { columns: header.map((cell) => cell.trim()), rows: rows.slice(0, ROWS_SHOWN) };
  }
  const values = records.map(objectIn);
  const columns = [...new Set(values.flatMap((value) => Object.keys(value)))];
  const rows = values.slice(0, ROWS_SHOWN).map((value) => columns.map((column) => cellOf(value[column])));
  return { columns, rows };
}

/** Lines, or several lines for a CSV record with line ends. */
async function firstRecords(file: File, is_csv: boolean): Promise<string[]> {
  const records: string[] = [];
  let open = '';
  for await (const { lines } of linesOf(file)) {
    for (const line of lines) {
      const text = open + line.replace(/\r$/, '');
      if (text.trim() === '') continue;
      if (is_csv && csvFields(text) === undefined) open = `${text}\n`;
      else {
        open = '';
        records.push(text);
      }
      if (records.length === LINES_READ) return records;
    }
  }
  return records;
}

/** Bad lines are reported when the file is read as a whole. */
function objectIn(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
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
export async function chosenFile(id: number, file: File, schemas: Schemas): Promise<ChosenFile> {
  const is_csv = plainName(file.name).endsWith('.csv');
  const preview = await previewOf(file, is_csv);
  const kind = guessKind(file.name);
  const choices = kind === undefined ? [] : guessedChoices(kind, preview, schemas);
  return { id, file, is_csv, preview, kind, choices, time_unit: 's' };
}

/** What the fields of a kind probably are in a file. */
export function guessedChoices(kind: Kind, { columns }: Preview, schemas: Schemas): FieldChoice[] {
  const { usual } = KIND_SPECS[kind];
  return fieldsOf(kind, schemas[kind]).flatMap(({ name, is_required }): FieldChoice[] => {
    const column = guessColumn(kind, name, columns);
    const is_shown = is_required || column !== undefined || usual.includes(name);
    return is_shown ? [{ field: name, column, text: '', replacements: '' }] : [];
  });
}

/** A field that must have a source and has none; undefined: the file can be read. */
export function missingField(
  { choices }: ChosenFile,
  fields: readonly RecordField[],
): RecordField | undefined {
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

export function mappingOf({ choices }: ChosenFile): ReadonlyMap<string, Source> {
  const sources = choices.flatMap(({ field, column, text, replacements }): [string, Source][] => {
    if (column !== undefined) return [[field, { column, values: replacementsIn(replacements) }]];
    return text === '' ? [] : [[field, { text }]];
  });
  return new Map(sources);
}
