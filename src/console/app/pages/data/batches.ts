import type { Fields } from './record-reader.ts';

export interface Batch {
  records: Fields[];
  lines: number[];
}

/** Small enough that a batch is made and answered without a noticeable wait. */
const RECORDS_MAX = 1_000;
const CHARACTERS_MAX = 512 * 1024;

/** Collects the records of one file. One batch is on its way while the next one is collected. */
export class Batches {
  private batch: Batch = { records: [], lines: [] };
  private characters = 0;
  private sending = Promise.resolve();

  constructor(private readonly send: (batch: Batch) => Promise<void>) {}

  /** Waits if a full batch has to wait for the one before it. @param characters size of the record, about */
  async add(record: Fields, line: number, characters: number): Promise<void> {
    this.batch.records.push(record);
    this.batch.lines.push(line);
    this.characters += characters;
    if (this.batch.records.length === RECORDS_MAX || this.characters >= CHARACTERS_MAX) await this.next();
  }

  /** Resolves when everything has been sent. */
  async flush(): Promise<void> {
    if (this.batch.records.length > 0) await this.next();
    await this.sending;
  }

  private async next(): Promise<void> {
    await this.sending;
    this.sending = this.send(this.batch);
    this.batch = { records: [], lines: [] };
    this.characters = 0;
  }
}
