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
  /** The table itself, and its partitions, which have identities of their own. */
  parts: readonly Part[];
}

interface Part {
  sql: string;
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

interface Found extends Table {
  schema: string;
  relkind: string;
  generated: string[];
  may_use: boolean;
  may_read: boolean;
  /** Whether row-level security leaves out rows. */
  is_filtered: boolean;
  role: string;
}

const namesIn = (
  table: string,
) => `(select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
  where a.attrelid = ${table}.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')`;

const inIndex = (table: string, flag: string) => `(select coalesce(json_agg(a.attname order by place), '[]')
  from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = ${table}.oid and i.${flag} and place <= i.indnkeyatts)`;

const PARTS = `(select json_agg(json_build_object('sql', format('"%s"."%s"', replace(s.nspname, '"', '""'), replace(p.relname, '"', '""')),
    'identity', case p.relreplident when 'd' then ${inIndex('p', 'indisprimary')} when 'i' then ${inIndex('p', 'indisreplident')}
      when 'f' then ${namesIn('p')} else '[]' end) order by p.oid <> c.oid, p.oid)
  from pg_class p join pg_namespace s on s.oid = p.relnamespace
  where p.oid = c.oid or p.oid in (select relid from pg_partition_tree(c.oid) where isleaf))`;

/** Policies that show all rows to the role are no filter. */
const IS_FILTERED = `row_security_active(c.oid) and not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polpermissive
  and p.polcmd in ('r', '*') and pg_get_expr(p.polqual, p.polrelid) = 'true'
  and exists (select 1 from unnest(p.polroles) r where r = 0 or pg_has_role(r, 'usage')))`;

const TABLE = `select c.oid::int8::float8 as oid, n.nspname as schema, n.nspname || '.' || c.relname as name, c.relkind, current_user as role,
  (select coalesce(json_agg(json_build_object('name', a.attname, 'type_oid', a.atttypid::int8) order by a.attnum), '[]') from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  (select coalesce(json_agg(a.attname), '[]') from pg_attribute a where a.attrelid = c.oid and a.attgenerated <> '') as generated,
  ${inIndex('c', 'indisprimary')} as key, ${PARTS} as parts,
  has_schema_privilege(n.oid, 'usage') as may_use, has_any_column_privilege(c.oid, 'select') as may_read, ${IS_FILTERED} as is_filtered
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = $2 and case when $1::text is null then pg_table_is_visible(c.oid) else n.nspname = $1 end`;

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
  const faults = [...faultsOfReader(map, reader, table), ...faultsOfRole(map, table)];
  if (table.key.length === 0)
    faults.push({ text: `${map.table} has no primary key, by which its rows are copied in order` });
  const subject = subjectColumns(map, reader, table);
  const lacking = table.parts.filter(({ identity }) => subject.some((name) => !identity.includes(name)));
  if (lacking.length > 0) {
    const missing = subject.filter((name) => lacking.some(({ identity }) => !identity.includes(name)));
    const sql = lacking.map((part) => `alter table ${part.sql} replica identity full`).join('; ');
    faults.push({ text: `deletions in ${map.table} do not name ${missing.join(', ')}: ${sql}`, sql });
  }
  return { mapped: { id: hashOf(`${table.oid} ${map.text}`), map, table, reader }, faults };
}

function faultsOfReader({ table }: TableMap, { faults }: RowReader, { generated }: Found): Fault[] {
  const texts = [...faults];
  if (faults.length > 0 && generated.length > 0)
    texts.push(`generated columns of ${table} are not in the log: ${generated.join(', ')}`);
  return texts.map((text) => ({ text }));
}

/** What the role may not see. */
function faultsOfRole({ table }: TableMap, found: Found): Fault[] {
  const { sql, schema, may_use, may_read, is_filtered } = found;
  const role = quoted(found.role);
  const lacks = (text: string, mend: string) => ({ text: `the role ${text}: ${mend}`, sql: mend });
  const faults: Fault[] = [];
  if (!may_use)
    faults.push(
      lacks(`may not use the schema ${schema}`, `grant usage on schema ${quoted(schema)} to ${role}`),
    );
  if (!may_read) faults.push(lacks(`may not read ${table}`, `grant select on ${sql} to ${role}`));
  if (is_filtered)
    faults.push(
      lacks(
        `does not see all rows of ${table}, which has row-level security`,
        `create policy feedloom on ${sql} for select to ${role} using (true)`,
      ),
    );
  return faults;
}

/** Sets the warning about a line of the map, or removes it. */
export function warnAbout({ text }: TableMap, faults: readonly string[], host: ConnectorHost): void {
  host.warning(`map ${text}`, faults.length === 0 ? undefined : faults.join('; '));
}

/** The columns that name the subject of a record of a line. */
function subjectColumns({ kind, valuesOf }: TableMap, { columns }: RowReader, { key }: Table): string[] {
  const is_comment = valuesOf('event_type')?.includes('comment') ?? true;
  const names = (SUBJECTS[kind] ?? []).flatMap((field) => {
    if (field !== 'event_id') return columns.get(field) ?? [];
    return is_comment ? (columns.get(field) ?? key) : [];
  });
  return [...new Set(names)];
}

/** A table, or why it cannot be read. */
async function readTable(client: Client, name: string): Promise<Found | string> {
  const dot = name.indexOf('.');
  const parts = dot < 0 ? [null, name] : [name.slice(0, dot), name.slice(dot + 1)];
  const [found] = (await client.query<Found>(TABLE, parts)).rows;
  if (found === undefined)
    return `there is no table ${name} (a name without a schema is one of the search_path)`;
  if (!'rp'.includes(found.relkind)) return `${name} is no table, so its changes are not in the log`;
  return { ...found, sql: found.parts[0].sql };
}
