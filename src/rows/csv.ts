/**
 * CSV according to RFC 4180: fields between separators, quoted if they contain one, a quote or a line end. Blanks around a
 * field without quotes do not count.
 */

const QUOTE = '"';
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
/** The first characters of a cell that a spreadsheet runs as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** How a file of CSV is written. */
export interface Dialect {
  separator: string;
  /**
   * `quotes`: quotes within quoted fields are doubled. `backslashes_in_quotes`: or written with a backslash. `backslashes`:
   * no field is quoted, and a backslash stands before what else would be a separator or a line end (`COPY` of PostgreSQL,
   * `INTO OUTFILE` of MySQL).
   */
  escapes: 'quotes' | 'backslashes_in_quotes' | 'backslashes';
}

const RFC_4180: Dialect = { separator: ',', escapes: 'quotes' };

export interface CsvRecord {
  fields: string[];
  /** Whether a separator or the end follows each closing quote. */
  is_regular: boolean;
}

/**
 * The fields of one record without its line end.
 *
 * Undefined if it ends within a quoted field, so the next line belongs to it too. A quote within an unquoted field is a
 * plain character.
 */
export function csvFields(record: string, dialect: Dialect = RFC_4180): string[] | undefined {
  return plainFields(record, dialect.separator) ?? parsedRecord(record, dialect)?.fields;
}

/** The fields of a record without quotes in a dialect of quotes; undefined for others. */
export function plainFields(record: string, separator: string): string[] | undefined {
  if (record.includes(QUOTE)) return undefined;
  const fields = record.split(separator);
  return record.includes(' ') ? fields.map((field) => field.trim()) : fields;
}

/** As `csvFields`, for records with quotes. */
export function parsedRecord(record: string, { separator, escapes }: Dialect): CsvRecord | undefined {
  const has_backslashes = escapes === 'backslashes_in_quotes';
  const fields: string[] = [];
  let is_regular = true;
  let at = 0;
  for (;;) {
    while (record[at] === ' ') at++;
    const start = at;
    let quoted: string | undefined;
    if (record[at] === QUOTE) {
      const end = closingQuote(record, at + 1, has_backslashes);
      if (end === undefined) return undefined;
      quoted = unescaped(record.slice(at + 1, end), has_backslashes);
      at = end + 1;
    }
    const next = record.indexOf(separator, at);
    const end = next < 0 ? record.length : next;
    const is_closed = quoted !== undefined && record.slice(at, end).trim() === '';
    if (quoted !== undefined && !is_closed) is_regular = false;
    fields.push(is_closed && quoted !== undefined ? quoted : record.slice(start, end).trim());
    if (next < 0) return { fields, is_regular };
    at = next + separator.length;
  }
}

/** The position of the first quote that is neither doubled nor escaped. */
function closingQuote(record: string, from: number, has_backslashes: boolean): number | undefined {
  for (let at = record.indexOf(QUOTE, from); at >= 0; at = record.indexOf(QUOTE, at + 1)) {
    if (has_backslashes && isEscaped(record, from, at)) continue;
    if (record[at + 1] !== QUOTE) return at;
    at++;
  }
  return undefined;
}

function isEscaped(record: string, from: number, at: number): boolean {
  let before = at - 1;
  while (before >= from && record[before] === '\\') before--;
  return (at - before) % 2 === 0;
}

function unescaped(text: string, has_backslashes: boolean): string {
  if (!has_backslashes) return text.replaceAll('""', QUOTE);
  return text.replace(/\\(["\\\n])|""/g, (_, plain?: string) => plain ?? QUOTE);
}

/** What backslashes make of letters where no field is quoted. Other characters are themselves. */
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };
const NULL_OF_DATABASES = '\\N';

/** The fields of a record whose fields are never quoted; undefined if a backslash says that it continues. */
export function escapedFields(record: string, separator: string): string[] | undefined {
  const fields: string[] = [];
  let before = '';
  for (const part of record.split(separator)) {
    const field = before + part;
    if (isEscaped(part, 0, part.length)) {
      before = field + separator;
      continue;
    }
    before = '';
    const is_plain = field === NULL_OF_DATABASES || !field.includes('\\');
    fields.push(is_plain ? field : field.replace(/\\(.)/gs, (_, next: string) => CONTROLS[next] ?? next));
  }
  return before === '' ? fields : undefined;
}

export function csvRecord(fields: readonly (string | number)[]): string {
  return `${fields.map(csvField).join(',')}\n`;
}

/**
 * Formats one record of a file that is opened as a spreadsheet.
 *
 * Other people choose identifiers, so a text that would be run as a formula gets a leading `'`, which makes it text.
 */
export function spreadsheetRecord(fields: readonly (string | number)[]): string {
  return csvRecord(
    fields.map((field) => (typeof field === 'string' && FORMULA.test(field) ? `'${field}` : field)),
  );
}

function csvField(field: string | number): string {
  if (typeof field === 'number') return String(field);
  return NEEDS_QUOTES.test(field) ? `"${field.replaceAll(QUOTE, '""')}"` : field;
}
