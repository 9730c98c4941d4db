/**
 * CSV according to RFC 4180: fields between commas, quoted if they contain a comma, a quote or a line end. Blanks around a
 * field without quotes do not count.
 */

const QUOTE = '"';
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
/** The first characters of a cell that a spreadsheet runs as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * The fields of one record without its line end.
 *
 * Undefined if it ends within a quoted field, so the next line belongs to it too. A quote within an unquoted field is a
 * plain character.
 */
export function csvFields(record: string): string[] | undefined {
  if (!record.includes(QUOTE)) {
    const plain = record.split(',');
    return /\s/.test(record) ? plain.map((field) => field.trim()) : plain;
  }
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let quoted = '';
    while (record[at] === ' ') at++;
    if (record[at] === QUOTE) {
      const end = closingQuote(record, at + 1);
      if (end === undefined) return undefined;
      quoted = record.slice(at + 1, end).replaceAll('""', QUOTE);
      at = end + 1;
    }
    const comma = record.indexOf(',', at);
    fields.push(quoted + record.slice(at, comma < 0 ? undefined : comma).trim());
    if (comma < 0) return fields;
    at = comma + 1;
  }
}

/** The position of the first quote that is not doubled. */
function closingQuote(record: string, from: number): number | undefined {
  for (let at = record.indexOf(QUOTE, from); at >= 0; at = record.indexOf(QUOTE, at + 2)) {
    if (record[at + 1] !== QUOTE) return at;
  }
  return undefined;
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
