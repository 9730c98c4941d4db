import { csvFields, type Dialect } from './csv.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** The share of rows that have as many cells as the first one. */
const CLEAR_SHARE = 0.9;

/**
 * The separator of a CSV file, by its first lines: the one that gives most rows as many cells as the header.
 *
 * Lists within a cell have `|`, too, so it counts only where no other is clear.
 */
export function separatorOf(lines: readonly string[]): string {
  const [header = '', ...rows] = lines;
  const found = SEPARATORS.filter((separator) => header.includes(separator));
  if (found.length === 0 || (found.length === 1 && found[0] === ',')) return ',';
  const clear = found
    .map((separator) => ({ separator, width: widthIn(header, rows, separator) }))
    .filter(({ width }) => width > 1);
  const usual = clear.filter(({ separator }) => separator !== '|');
  const best = (usual.length > 0 ? usual : clear).toSorted((one, other) => other.width - one.width)[0];
  return best?.separator ?? (found.includes(',') ? ',' : found[0]);
}

/** Cells of the header; 0 if too many rows have another number. */
function widthIn(header: string, rows: readonly string[], separator: string): number {
  const dialect: Dialect = { separator, escapes: 'quotes' };
  const width = csvFields(header, dialect)?.length ?? 0;
  // Lines of one record in several lines say nothing.
  const widths = rows.flatMap((row) => csvFields(row, dialect)?.length ?? []);
  const regular = widths.filter((each) => each === width).length;
  return regular >= CLEAR_SHARE * widths.length ? width : 0;
}
