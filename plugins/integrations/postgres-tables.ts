/** What the catalog of PostgreSQL says of the mapped tables, and what they lack. */
import type { ConnectorHost, RowReader, TableMap } from 'feedloom/plugin';
import type { Client } from 'pg';
import { hashOf } from './postgres-cursor.ts';

export interface Column {
  name: string;
  type_oid: number;
}

/** A table as it is now. */
export interface Table {
  oid: number;
  /** `public.posts`, quoted for SQL. */
  sql: string;
  /** `public.posts`, as messages of the replication name it. */
  name: string;
  columns: readonly Column[];
  /** The primary key. Empty without one. */
  key: readonly string[];
  /** The columns that a deletion names. */
  identity: readonly string[];
}

/** A line of the map with its table. */
export interface MappedTable {
  /** Names both, so that a changed line and a new table are copied again. */
  id: string;
  map: TableMap;
  table: Table;
  reader: RowReader;
}

interface Found {
  oid: number;
  schema: string;
  name: string;
  relkind: string;
  relreplident: string;
  columns: Column[];
  key: string[] | null;
  identity_index: string[] | null;
}

const IN_INDEX = (
  flag: string,
) => `(select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
  from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
  where i.indrelid = c.oid and i.${flag})`;

const TABLE = `select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as name, c.relkind, c.relreplident,
  (select json_agg(json_build_object('name', a.attname, 'type_oid', a.atttypid::int8) order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  ${IN_INDEX('indisprimary')} as key, ${IN_INDEX('indisreplident')} as identity_index
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass($1)`;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Fields that name the subject of a record, by kind. Deletions must name them, too. */
const SUBJECTS: Partial<Record<TableMap['kind'], readonly string[]>> = {
  users: ['user_id'],
  items: ['item_id'],
  follows: ['user_id', 'target_user_id'],
  blocks: ['user_id', 'target_user_id'],
  interactions: ['user_id', 'item_id', 'event_type', 'event_id'],
};

/** What a table lacks for a line of the map, and the SQL that mends it if SQL can. */
export interface Fault {
  text: string;
  sql?: string;
}

/** A line of the map with what it lacks. Without a table there is only a fault. */
export interface FoundTable {
  map: TableMap;
  mapped?: MappedTable;
  faults: Fault[];
}

export async function tablesOf(client: Client, maps: readonly TableMap[]): Promise<FoundTable[]> {
  const found: FoundTable[] = [];
  for (const map of maps) found.push({ map, ...(await tableOf(client, map)) });
  return found;
}

async function tableOf(client: Client, map: TableMap): Promise<Omit<FoundTable, 'map'>> {
  if (SUBJECTS[map.kind] === undefined) {
    const text = `${map.table}: rows cannot be ${map.kind}; allowed are ${Object.keys(SUBJECTS).join(', ')}`;
    return { faults: [{ text }] };
  }
  const table = await readTable(client, map.table);
  if (typeof table === 'string') return { faults: [{ text: table }] };
  const reader = map.readerOf(table.columns.map(({ name }) => name));
  const faults: Fault[] = reader.faults.map((text) => ({ text }));
  if (table.key.length === 0)
    faults.push({ text: `${map.table} has no primary key, by which its rows are copied in order` });
  const missing = subjectColumns(map, reader, table).filter((name) => !table.identity.includes(name));
  if (missing.length > 0) {
    const sql = `alter table ${table.sql} replica identity full`;
    faults.push({ text: `deletions in ${map.table} do not name ${missing.join(', ')}: ${sql}`, sql });
  }
  return { mapped: { id: hashOf(`${table.oid} ${map.text}`), map, table, reader }, faults };
}

/** Sets the warning about a line of the map, or removes it. */
export function warnAbout({ text }: TableMap, faults: readonly string[], host: ConnectorHost): void {
  host.warning(`map ${text}`, faults.length === 0 ? undefined : faults.join('; '));
}

/** The columns that name the subject of a record of a line. */
function subjectColumns({ kind, constantOf }: TableMap, { columns }: RowReader, { key }: Table): string[] {
  const is_comment = constantOf('event_type') === undefined || constantOf('event_type') === 'comment';
  const names = (SUBJECTS[kind] ?? []).flatMap((field) => {
    if (field !== 'event_id') return columns.get(field) ?? [];
    return is_comment ? (columns.get(field) ?? key) : [];
  });
  return [...new Set(names)];
}

/** A table, or why it cannot be read. */
async function readTable(client: Client, name: string): Promise<Table | string> {
  const dot = name.indexOf('.');
  const parts = dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
  const { rows } = await client.query<Found>(TABLE, [parts.map(quoted).join('.')]);
  const [found] = rows;
  if (found === undefined)
    return `there is no table ${name} (a name without a schema is one of the search_path)`;
  if (!'rp'.includes(found.relkind)) return `${name} is no table, so its changes are not in the log`;
  const { oid, schema, columns, relreplident } = found;
  const key = found.key ?? [];
  const all = columns.map((column) => column.name);
  const identities: Record<string, readonly string[]> = { d: key, f: all, i: found.identity_index ?? [] };
  return {
    oid,
    sql: `${quoted(schema)}.${quoted(found.name)}`,
    name: `${schema}.${found.name}`,
    columns,
    key,
    identity: identities[relreplident] ?? [],
  };
}
