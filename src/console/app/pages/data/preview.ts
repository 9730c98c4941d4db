import { csvFields } from '../../../../interchange/csv.ts';
import { linesOf } from './lines.ts';

export interface Preview {
  columns: readonly string[];
  /** Cells as text, as many as columns. */
  rows: readonly (readonly string[])[];
}

const ROWS_SHOWN = 5;
/** Lines of JSON whose fields become columns. */
const LINES_READ = 100;

/** Reads the first lines of a file. @throws Error if it cannot be read, or has no lines */
export async function previewOf(file: File, is_csv: boolean): Promise<Preview> {
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
