/** Collects records, and stores them with the position behind them. */
import { type ConnectorHost, type ConnectorRecord, EMITTED_RECORDS_MAX } from 'feedloom/plugin';
import { cursorOf, type Position } from './postgres-cursor.ts';

const ERASURE = 'user_deletion';

export class Batch {
  private entries: { record: ConnectorRecord; name: string }[] = [];
  private refused_count = 0;
  private stored_lsn: string | undefined;

  /** @param position behind all records of complete transactions so far */
  constructor(
    private readonly host: ConnectorHost,
    public position: Position,
  ) {}

  get is_empty(): boolean {
    return this.entries.length === 0;
  }

  /** Whether the position was not stored yet. */
  get has_moved(): boolean {
    return this.position.lsn !== this.stored_lsn;
  }

  /** @param name of the row, for messages */
  async add(record: ConnectorRecord | undefined, name: string): Promise<void> {
    if (record === undefined) return;
    const after_erasure = this.entries.at(-1)?.record.kind === ERASURE && record.kind !== ERASURE;
    if (after_erasure || this.entries.length === EMITTED_RECORDS_MAX) await this.emit();
    this.entries.push({ record, name });
  }

  async emit(): Promise<void> {
    const { entries, host, position } = this;
    this.entries = [];
    const { rejected } = await host.emit(
      entries.map(({ record }) => record),
      cursorOf(position),
    );
    this.stored_lsn = position.lsn;
    for (const { index, detail } of rejected) await this.refused(entries[index], detail);
  }

  private async refused(
    { record, name }: { record: ConnectorRecord; name: string },
    detail: string,
  ): Promise<void> {
    const { keep_items, ...erasure } = record.record;
    // The items of a hidden user cannot be kept, since they would be shown again.
    if (record.kind === ERASURE && keep_items === true) {
      this.entries.push({ record: { ...record, record: erasure }, name });
      return this.emit();
    }
    this.refused_count++;
    this.host.warning('refused', `${this.refused_count} rows were refused, the last one ${name}: ${detail}`);
  }
}
