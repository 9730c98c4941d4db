/**
 * A subset of mysql for machines without it: `--batch --raw --skip-column-names … NAME -e QUERY`, answered by SQLite, one
 * column.
 *
 * `TEST_DATABASES` has the SQL of each database as JSON.
 */
import { Database } from 'bun:sqlite';

const args = process.argv.slice(2);
const flags = ['--batch', '--raw', '--skip-column-names', '--default-character-set=utf8mb4'];
const [name, execute, query, ...rest] = args.slice(flags.length);
if (!flags.every((flag, index) => args[index] === flag) || execute !== '-e' || rest.length > 0)
  throw new Error(`unknown arguments ${args.join(' ')}`);
const scripts: Record<string, string> = JSON.parse(process.env.TEST_DATABASES ?? '{}');
const database = new Database(':memory:');
database.exec(scripts[name]);
process.stdout.write(
  database
    .query(query)
    .values()
    .map(([cell]) => `${cell}\n`)
    .join(''),
);
