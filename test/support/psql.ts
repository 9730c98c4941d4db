/**
 * A subset of psql for machines without it: `-d NAME --csv -c QUERY`, answered as CSV.
 *
 * `TEST_DATABASES` has the URL of each database as JSON.
 */
import { SQL } from 'bun';
import { csvRecord } from '../../src/rows/csv.ts';

const [flag, name, csv, command, query, ...rest] = process.argv.slice(2);
if (flag !== '-d' || csv !== '--csv' || command !== '-c' || rest.length > 0)
  throw new Error(`unknown arguments ${process.argv.slice(2).join(' ')}`);
const urls: Record<string, string> = JSON.parse(process.env.TEST_DATABASES ?? '{}');
const sql = new SQL({ url: urls[name], max: 1 });
// Texts, because a number would lose digits. psql writes t and f for true and false.
const text = "case json_typeof(value) when 'boolean' then left(value::text, 1) else value #>> '{}' end";
const cells = `select json_agg(json_build_array(key, ${text})) as cells from json_each(row_to_json(asked))`;
const rows: { cells: [string, string | null][] }[] = await sql.unsafe(
  `select (${cells}) as cells from (${query}) as asked`,
);
const lines = rows.map((row) => row.cells.map(([, value]) => value ?? ''));
const names = rows.length === 0 ? [] : rows[0].cells.map(([column]) => column);
process.stdout.write([names, ...lines].map(csvRecord).join(''));
await sql.close();
