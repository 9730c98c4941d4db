import { guessColumn, guessKind, KIND_SPECS, type Kind, plainName } from './kinds.ts';
import { type Preview, previewOf } from './preview.ts';
import { replacementsIn, type Source, type TimeUnit } from './record-reader.ts';
import { fieldsOf, type RecordField, type Schemas } from './schema.ts';

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
