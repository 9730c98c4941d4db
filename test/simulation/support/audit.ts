import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { decodeHead, decodeRuns } from '../../../src/seen/head.ts';
import { CHANGE_TABLES } from '../../../src/store/tables.ts';

/**
 * Audits the tables of a stopped service for faults that clients cannot see: partial transactions, duplicate names,
 * references to unnamed users and items.
 */

const CONTENT_FILE = 'feedloom.sqlite';

const USERS: ReadonlySet<string> = new Set(['user_key', 'target_key', 'author_key']);
const ITEMS: ReadonlySet<string> = new Set(['item_key']);
/** Tables whose rows outlive the names that they refer to. */
const OUTLIVING: ReadonlySet<string> = new Set([
  'erasures',
  'releases',
  'outcomes',
  'event_ids',
  'deletions',
]);

/** Every change table, with its columns of user keys and of item keys. */
const TABLES: [table: string, columns: { users: string[]; items: string[] }][] = CHANGE_TABLES.map(
  ({ table, columns }) => {
    const namesOf = (known: ReadonlySet<string>) =>
      columns.map(({ name }) => name).filter((name) => known.has(name));
    const users = OUTLIVING.has(table) ? [] : namesOf(USERS);
    return [table, { users, items: OUTLIVING.has(table) && table !== 'deletions' ? [] : namesOf(ITEMS) }];
  },
);

function numbers(database: Database, query: string): number[] {
  return database
    .query(query)
    .values()
    .map(([value]) => Number(value));
}

export interface Audit {
  /** Default: the schema of content. */
  file?: string;
  /** Erased rows up to this `seq` may have been removed, so numbers may be missing. */
  purged_until: number;
  /** A purge may have been interrupted. Then rows may still refer to erased users and deleted items. */
  broken_off: boolean;
}

/** No purge has ever run. */
export const UNPURGED: Audit = { purged_until: 0, broken_off: false };

/** The data after a clean stop. */
export const STOPPED: Audit = { purged_until: Number.POSITIVE_INFINITY, broken_off: false };

/** The faults of the tables in an unused data folder; empty if there are none. */
export function audit(data: string, { file, purged_until, broken_off }: Audit): string[] {
  return reading(join(data, file ?? CONTENT_FILE), (database) => [
    ...sequenceFaults(database, purged_until),
    ...nameFaults(database),
    ...referenceFaults(database, broken_off),
    ...seenFaults(database, purged_until > 0),
  ]);
}

/** The last assigned `seq` in an unused data folder. */
export function highestSeq(data: string): number {
  const query = "select value from meta where name = 'highest_seq'";
  return reading(join(data, CONTENT_FILE), (database) => numbers(database, query)[0]);
}

function reading<T>(file: string, work: (database: Database) => T): T {
  const database = new Database(file, { readonly: true });
  try {
    // The killed service's checkpoint process may still be reading, which triggers recovery.
    database.run('pragma busy_timeout = 5000');
    return work(database);
  } finally {
    database.close();
  }
}

/** `seq` has no gaps over all tables up to the last assigned number, and times never decrease. */
function sequenceFaults(database: Database, purged_until: number): string[] {
  const rows = TABLES.flatMap(
    ([table]) => database.query(`select seq, applied_at from ${table}`).values() as [number, number][],
  ).sort(([one], [other]) => one - other);
  const [highest] = numbers(database, "select value from meta where name = 'highest_seq'");
  const faults: string[] = [];
  for (let index = 1; index < rows.length; index++) {
    const [seq, applied_at] = rows[index];
    const [seq_before, applied_before] = rows[index - 1];
    if (seq === seq_before) faults.push(`seq ${seq} was given twice`);
    if (seq_before >= purged_until && seq !== seq_before + 1)
      faults.push(`nothing between seq ${seq_before} and ${seq}`);
    if (applied_at < applied_before) faults.push(`seq ${seq} is older than ${seq_before}`);
  }
  const last = rows.length === 0 ? 0 : rows[rows.length - 1][0];
  const missing = last < highest && highest > purged_until;
  if (missing || last > highest) faults.push(`the last row is ${last}, not ${highest}`);
  return faults;
}

/** A key names one identifier. An identifier gets another key only after its erasure. */
function nameFaults(database: Database): string[] {
  const twice = numbers(database, 'select key from names group by space, key having count(*) > 1');
  const erased = new Set(numbers(database, 'select user_key from erasures'));
  const users = database.query('select id, key from names where space = 0').values() as [string, number][];
  const standing = new Set<string>();
  const doubled: string[] = [];
  for (const [id, key] of users) {
    if (erased.has(key)) continue;
    if (standing.has(id)) doubled.push(id);
    standing.add(id);
  }
  return [...twice.map((key) => `key ${key} was given twice`), ...doubled.map((id) => `${id} has two keys`)];
}

/** Erased users (space 0), and items that they posted (space 1). */
const OF_ERASED = [
  'select user_key from erasures',
  `select item_key from items where author_key in (select user_key from erasures)
   union select item_key from deletions where author_key in (select user_key from erasures)`,
];

/** Packed keys. */
function keysIn(bytes: unknown): Uint32Array {
  const packed = new Uint8Array(bytes as Uint8Array);
  return new Uint32Array(packed.buffer, 0, Math.floor(packed.length / 4));
}

/** Retired items, as a JSON list. */
function retired(database: Database): string {
  const rows = database.query('select items from retirements').values();
  return JSON.stringify(rows.flatMap(([items]) => [...keysIn(items)]));
}

/** No row refers to a user or item without a name. */
function referenceFaults(database: Database, broken_off: boolean): string[] {
  const faults: string[] = [];
  const gone = ['', ` union select value from json_each('${retired(database)}')`];
  for (const [table, { users, items }] of TABLES) {
    const columns = [...users.map((column) => [column, 0]), ...items.map((column) => [column, 1])];
    for (const [column, space] of columns) {
      const also = broken_off ? ` union ${OF_ERASED[Number(space)]}${gone[Number(space)]}` : '';
      const named = `select key from names where space = ${space}${also}`;
      const dangling = numbers(
        database,
        `select ${column} from ${table} where ${column} >= 0 and ${column} not in (${named})`,
      );
      if (dangling.length > 0) faults.push(`${table}.${column} of ${dangling.length} rows has no name`);
    }
  }
  return faults;
}

/** A page names each item once. Items that were removed with their author keep a number without a name. */
function seenFaults(database: Database, purged: boolean): string[] {
  const named = new Set(numbers(database, 'select key from names where space = 1'));
  const faults: string[] = [];
  const rows = database.query('select hex(viewer), part, content from seen').values() as [
    string,
    number,
    Uint8Array,
  ][];
  for (const [viewer, part, content] of rows) {
    const { days, pages } = part === 0 ? decodeHead(content) : { days: decodeRuns(content), pages: [] };
    for (const { keys } of [...days, ...pages]) {
      if (new Set(keys).size !== keys.length) faults.push(`a page of ${viewer} repeats an item`);
      if (!purged && keys.some((key) => !named.has(key)))
        faults.push(`a page of ${viewer} names an item without a name`);
    }
  }
  return faults;
}
