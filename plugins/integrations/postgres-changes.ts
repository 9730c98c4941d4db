/** Turns the messages of the log into records. */
import type { ConnectorHost } from 'feedloom/plugin';
import type { Pgoutput } from 'pg-logical-replication';
import type { Batch } from './postgres-batch.ts';
import { lsnOf, numberOf } from './postgres-cursor.ts';
import { changed, Rows } from './postgres-rows.ts';
import type { Message } from './postgres-stream.ts';
import { type MappedTable, warnAbout } from './postgres-tables.ts';

export class Changes {
  /** By the table's number. */
  private readonly rows = new Map<number, Rows[]>();
  private in_transaction = false;

  constructor(
    private readonly host: ConnectorHost,
    private readonly mapped: readonly MappedTable[],
    private readonly list_oids: ReadonlySet<number>,
    private readonly batch: Batch,
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
      case 'update':
        for (const rows of this.rowsOf(message))
          for (const record of changed(rows, message, message.new))
            await this.batch.add(record, rows.nameOf(message.new));
        return;
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

  /** The columns of a table, before its first change and whenever they have changed. */
  private describe({ relationOid, columns }: Pgoutput.MessageRelation): void {
    const described = columns.map(({ name, typeOid }) => ({ name, type_oid: typeOid }));
    const lines = this.mapped
      .filter(({ table }) => table.oid === relationOid)
      .map(({ map, table }) => new Rows(map, described, table.key, this.list_oids));
    this.rows.set(relationOid, lines);
    for (const { map, reader } of lines) warnAbout(map, reader.faults, this.host);
  }

  private truncated({ relations }: Pgoutput.MessageTruncate): void {
    const tables = relations.map(({ schema, name }) => `${schema}.${name}`).join(', ');
    this.host.warning('truncate', `${tables}: emptied by TRUNCATE, which deletes nothing here`);
  }
}
