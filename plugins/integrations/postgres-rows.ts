/** The records that rows of a table become, and those that take them back. */
import {
  type ConnectorRecord,
  parseJson,
  type RowReader,
  type StandingKind,
  type TableMap,
} from 'feedloom/plugin';
import { parse as listOf } from 'postgres-array';
import type { Column, MappedTable } from './postgres-tables.ts';
import { couldBe } from './postgres-truncate.ts';

/** A row by the names of its columns. Undefined is a long value that has not changed, which the log leaves out. */
export type Row = Readonly<Record<string, string | null | undefined>>;

type Kind = 'users' | 'items' | 'follows' | 'blocks' | 'interactions';

/** The record of each kind, and what takes it back: the fields that name its subject, and further ones. */
const KINDS = {
  users: { kind: 'user', ends: 'user_deletion', subject: ['user_id'], more: { keep_items: true } },
  items: { kind: 'item', ends: 'item_deletion', subject: ['item_id'], more: {} },
  follows: {
    kind: 'follow',
    ends: 'follow',
    subject: ['user_id', 'target_user_id'],
    more: { action: 'unfollow' },
  },
  blocks: {
    kind: 'block',
    ends: 'block',
    subject: ['user_id', 'target_user_id'],
    more: { action: 'unblock' },
  },
  interactions: {
    kind: 'interaction',
    ends: 'interaction',
    subject: ['user_id', 'item_id', 'event_type', 'event_id'],
    more: { action: 'remove' },
  },
} as const satisfies Record<
  Kind,
  { kind: StandingKind; ends: ConnectorRecord['kind']; subject: string[]; more: object }
>;

const JSON_OIDS = new Set([114, 3802]);

/** Reads the rows of one table by one line of the map. */
export class Rows {
  readonly reader: RowReader;
  private readonly json: readonly string[];
  private readonly lists: readonly string[];

  /**
   * @param key of the table
   * @param list_oids types that are arrays
   */
  constructor(
    readonly map: TableMap,
    columns: readonly Column[],
    private readonly key: readonly string[],
    list_oids: ReadonlySet<number>,
  ) {
    const named = (oids: ReadonlySet<number>) =>
      columns.filter(({ type_oid }) => oids.has(type_oid)).map(({ name }) => name);
    this.reader = map.readerOf(columns.map(({ name }) => name));
    this.json = named(JSON_OIDS);
    this.lists = named(list_oids);
  }

  /** The record of a row; undefined if the map leaves it out, or it names no subject, such as a reply to nothing. */
  recordOf(row: Row): ConnectorRecord | undefined {
    const { fields, is_skipped } = this.read(row);
    if (is_skipped || this.subjectOf(fields) === undefined) return undefined;
    return { kind: this.spec.kind, record: fields, in_order: true };
  }

  /** What takes back the record of a row, of which only the columns that name its subject are needed. */
  removalOf(row: Row): ConnectorRecord | undefined {
    return this.ending(this.subjectOf(this.read(row).fields));
  }

  /** The kind of the records. */
  get kind(): StandingKind {
    return this.spec.kind;
  }

  /** What takes back a record that stands in the service; undefined if it cannot be of this table. */
  removalOfStanding(record: Readonly<Record<string, unknown>>): ConnectorRecord | undefined {
    // Comments of tables have an event_id.
    if (record.event_type === 'comment' && record.event_id === undefined) return undefined;
    return couldBe(record, this.map) ? this.ending(this.subjectOf(record)) : undefined;
  }

  private ending(subject: Record<string, unknown> | undefined): ConnectorRecord | undefined {
    const { ends, more } = this.spec;
    return subject && { kind: ends, record: { ...subject, ...more }, in_order: true };
  }

  /** The fields that name the subject of a record; undefined if one is missing. */
  private subjectOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
    const { subject } = this.spec;
    if (subject.some((name) => name !== 'event_id' && fields[name] == null)) return undefined;
    const named = subject.filter((name) => fields[name] != null);
    return Object.fromEntries(named.map((name) => [name, fields[name]]));
  }

  /** The columns that are read. */
  get needed(): string[] {
    const { columns, skips } = this.reader;
    return [...new Set([...this.key, ...columns.values(), ...skips])];
  }

  /** For messages. */
  nameOf(row: Row): string {
    return `${this.map.table} ${this.key.map((name) => row[name]).join(',')}`;
  }

  private get spec() {
    return KINDS[this.map.kind as Kind];
  }

  private read(row: Row): { fields: Record<string, unknown>; is_skipped: boolean } {
    const { fields, is_skipped } = this.reader.read(this.decoded(row));
    for (const [field, column] of this.reader.columns) {
      // Of an unchanged value nothing is said, whatever the map makes of an absent one.
      if (row[column] === undefined) delete fields[field];
      else if (!(field in fields)) fields[field] = null;
    }
    if (fields.event_type === 'comment') fields.event_id ??= this.key.map((name) => row[name]).join(',');
    return { fields, is_skipped };
  }

  private decoded(row: Row): Record<string, unknown> {
    const decoded: Record<string, unknown> = { ...row };
    for (const name of this.json)
      if (typeof row[name] === 'string')
        decoded[name] = parseJson(row[name], undefined, { long_numbers: 'noted' });
    for (const name of this.lists) if (typeof row[name] === 'string') decoded[name] = listOf(row[name]);
    return decoded;
  }
}

/** A line of the map that reads a table as it is now. */
export function rowsOf({ map, table }: MappedTable, list_oids: ReadonlySet<number>): Rows {
  return new Rows(map, table.columns, table.key, list_oids);
}

/**
 * The records of a changed row.
 * @param before what the log says of the former row: all of it, or the key that has changed, or nothing
 */
export function changed(
  rows: Rows,
  { old, key }: { old: Row | null; key: Row | null },
  after: Row,
): (ConnectorRecord | undefined)[] {
  const next = rows.recordOf(after);
  if (old !== null && rows.recordOf(old) === undefined) return [next];
  const before = old ?? key;
  const former = rows.removalOf(before === null ? after : { ...after, ...given(before) });
  const is_same = next !== undefined && Bun.deepEquals(former, rows.removalOf(after));
  return [is_same ? undefined : former, next];
}

function given(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
