/** A subset of psql for machines without it: `[-qAt] URL -c SQL` and `[-qAt] URL -f FILE`. Rows are printed with `-qAt`. */
import { readFileSync } from 'node:fs';
import { SQL } from 'bun';

const given = process.argv.slice(2);
const prints = given[0] === '-qAt';
const [url, flag, value, ...rest] = prints ? given.slice(1) : given;
if ((flag !== '-c' && flag !== '-f') || rest.length > 0)
  throw new Error(`unknown arguments ${given.join(' ')}`);
const sql = new SQL({ url, max: 1 });

/** The statements of a file. psql runs each in a transaction of its own. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let open = '';
  for (const part of text.split(/(?<=;\s*\n)/)) {
    open += part;
    // The body of a function stands between two of these.
    if (open.split('$$').length % 2 === 0) continue;
    statements.push(open);
    open = '';
  }
  return [...statements, open].filter((statement) => statement.trim() !== '');
}

let rows: Record<string, unknown>[] = [];
for (const statement of flag === '-c' ? [value] : statementsOf(readFileSync(value, 'utf8')))
  rows = await sql.unsafe(statement);
const textOf = (cell: unknown) =>
  typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : (cell ?? '');
if (prints) for (const row of rows) console.log(Object.values(row).map(textOf).join('|'));
await sql.close();
