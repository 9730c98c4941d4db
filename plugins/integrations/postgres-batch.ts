/** Collects records, and stores them with the position behind them. */
import { type ConnectorHost, type ConnectorRecord, EMITTED_RECORDS_MAX } from 'feedloom/plugin';
import { cursorOf, type Position } from './postgres-cursor.ts';

const ERASURE = 'user_deletion';
/** Refused rows that a warning names. */
const NAMES_MAX = 10;

export class Batch {
  private entries: { record: ConnectorRecord; name: string }[] = [];
  private refused_count = 0;
  /** The last ones, and why the last one was. */
  private refused_names: readonly string[] = [];
  private refusal = '';
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
    if (rejected.length === 0 || this.refused_names.length === 0) return;
    const [last, ...before] = this.refused_names.toReversed();
    const further = before.length === 0 ? '' : `; before it ${before.join(', ')}`;
    this.host.warning(
      'refused',
      `${this.refused_count} rows were refused, the last one ${last}: ${this.refusal}${further}`,
    );
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
    this.refused_names = [...this.refused_names.slice(1 - NAMES_MAX), name];
    this.refusal = detail;
  }
}
