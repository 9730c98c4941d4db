/** Turns the messages of the log into records. */
import type { ConnectorHost } from 'feedloom/plugin';
import type { Client } from 'pg';
import type { Pgoutput } from 'pg-logical-replication';
import type { Batch } from './postgres-batch.ts';
import { rowNow } from './postgres-copy.ts';
import { lsnOf, numberOf } from './postgres-cursor.ts';
import type { Options } from './postgres-options.ts';
import { changed, type Row, Rows } from './postgres-rows.ts';
import type { Message } from './postgres-stream.ts';
import { type MappedTable, warnAbout } from './postgres-tables.ts';

export class Changes {
  /** By the table's number. */
  private readonly rows = new Map<number, Rows[]>();
  private in_transaction = false;

  /** @param client reads rows of which the log does not say enough */
  constructor(
    private readonly client: Client,
    private readonly host: ConnectorHost,
    private readonly mapped: readonly MappedTable[],
    private readonly list_oids: ReadonlySet<number>,
    private readonly batch: Batch,
    private readonly truncate: Options['truncate'],
  ) {}

  async take(message: Message): Promise<void> {
    switch (message.tag) {
      case 'begin':
        this.in_transaction = true;
        return;
      case 'relation':
        return this.describe(message);
      case 'insert':
        for (const rows of this.rowsOf(message))
          await this.batch.add(rows.recordOf(message.new), rows.nameOf(message.new));
        return;
      case 'update': {
        const after = await this.whole(message);
        for (const rows of this.rowsOf(message))
          for (const record of changed(rows, message, after))
            await this.batch.add(record, rows.nameOf(after));
        return;
      }
      case 'delete': {
        const row = message.old ?? message.key ?? {};
        for (const rows of this.rowsOf(message)) await this.batch.add(rows.removalOf(row), rows.nameOf(row));
        return;
      }
      case 'truncate':
        return this.truncated(message);
      case 'commit':
        this.in_transaction = false;
        return this.passed(message.commitEndLsn);
      case 'idle':
        if (!this.in_transaction) this.passed(message.lsn);
        return;
    }
  }

  private passed(lsn: string | null): void {
    if (lsn === null) return;
    const { position } = this.batch;
    if (numberOf(lsn) > numberOf(position.lsn))
      this.batch.position = { ...position, lsn: lsnOf(numberOf(lsn)) };
  }

  private rowsOf({ relation }: { relation: Pgoutput.MessageRelation }): Rows[] {
    return this.rows.get(relation.relationOid) ?? [];
  }

  /**
   * A changed row, with long values that have not changed if its record may be new: under another key, or left out before.
   *
   * They are those of now. Later changes of them are in the log.
   */
  private async whole(message: Pgoutput.MessageUpdate): Promise<Row> {
    const { key, old, new: after } = message;
    const lines = this.rowsOf(message);
    const may_be_new = key !== null || lines.some(({ reader }) => reader.skips.length > 0);
    const absent = lines.flatMap(({ needed }) =>
      needed.filter((name) => name in after && after[name] === undefined),
    );
    if (old !== null || !may_be_new || absent.length === 0) return after;
    const mapped = this.tableOf(message.relation)[0];
    return { ...after, ...(await rowNow(this.client, mapped.table, [...new Set(absent)], after)) };
  }

  /** The lines of the map about a table. */
  private tableOf({ relationOid }: Pgoutput.MessageRelation): MappedTable[] {
    // The library reads the number with a sign.
    return this.mapped.filter(({ table }) => table.oid === relationOid >>> 0);
  }

  /** The columns of a table, before its first change and whenever they have changed. */
  private describe(relation: Pgoutput.MessageRelation): void {
    const described = relation.columns.map(({ name, typeOid }) => ({ name, type_oid: typeOid >>> 0 }));
    const lines = this.tableOf(relation).map(
      ({ map, table }) => new Rows(map, described, table.key, this.list_oids),
    );
    this.rows.set(relation.relationOid, lines);
    for (const { map, reader } of lines) warnAbout(map, reader.faults, this.host);
  }

  private async truncated({ relations }: Pgoutput.MessageTruncate): Promise<void> {
    if (this.truncate === 'delete') {
      for (const relation of relations)
        for (const rows of this.rowsOf({ relation })) await this.removeAll(rows);
      return;
    }
    const tables = relations.map(({ schema, name }) => `${schema}.${name}`).join(', ');
    this.host.warning('truncate', `${tables}: emptied by TRUNCATE, which deletes nothing here`);
  }

  /**
   * Takes back all records of a line of the map.
   *
   * They are stored with a position before the TRUNCATE, so that a crash repeats it.
   */
  private async removeAll(rows: Rows): Promise<void> {
    const { host, batch } = this;
    const { table } = rows.map;
    // What came before is among the current records only once it is stored.
    await batch.emit();
    let count = 0;
    for await (const record of host.current(rows.kind)) {
      const removal = rows.removalOfStanding(record);
      if (removal === undefined) continue;
      await batch.add(removal, `${table} (TRUNCATE)`);
      count++;
    }
    await batch.emit();
    host.log.info({ table, count }, 'TRUNCATE: the records of a table were taken back');
  }
}
