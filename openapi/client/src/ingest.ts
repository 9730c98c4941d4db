import { FeedloomError } from './errors.ts';
import type { BodyOf } from './operations.ts';
import type { IngestAnswer } from './schema.ts';

/** Many records in bodies that the service takes. */

/** Where records of each kind go. */
export const INGEST_PATHS = {
  items: '/v2/{network}/items',
  users: '/v2/{network}/users',
  follows: '/v2/{network}/follows',
  blocks: '/v2/{network}/blocks',
  interactions: '/v2/{network}/interactions',
  labels: '/v2/{network}/labels',
  tokens: '/{chain}/items',
} as const;

export type IngestKind = keyof typeof INGEST_PATHS;

/** A record of a kind: `RecordOf<'items'>`. */
export type RecordOf<K extends IngestKind> = Exclude<
  BodyOf<'POST', (typeof INGEST_PATHS)[K]>,
  readonly unknown[]
>;

/** One record, a list of them, or a source such as a generator, of which only one batch is held at a time. */
export type Records<R> = R | Iterable<R> | AsyncIterable<R>;

const BATCH_RECORDS_MAX = 10_000;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/** Records that are sent together. */
interface Batch<R> {
  records: R[];
  /** Number of records before it. */
  start: number;
}

/** As large as the service takes them. A record that is too large for any batch is alone in one. */
export async function* batchesOf<R>(records: Records<R>): AsyncGenerator<Batch<R>> {
  const encoder = new TextEncoder();
  let batch: Batch<R> = { records: [], start: 0 };
  // Brackets of the list; every record also has a comma or the closing bracket after it.
  let bytes = 1;
  for await (const record of listOf(records)) {
    const more = encoder.encode(JSON.stringify(record)).length + 1;
    const { length } = batch.records;
    if (length > 0 && (length === BATCH_RECORDS_MAX || bytes + more > BATCH_BYTES_MAX)) {
      yield batch;
      batch = { records: [], start: batch.start + length };
      bytes = 1;
    }
    batch.records.push(record);
    bytes += more;
  }
  if (batch.records.length > 0) yield batch;
}

function listOf<R>(records: Records<R>): Iterable<R> | AsyncIterable<R> {
  return isList(records) ? records : [records];
}

function isList<R>(records: Records<R>): records is Iterable<R> | AsyncIterable<R> {
  return (
    typeof records === 'object' &&
    records !== null &&
    (Symbol.iterator in records || Symbol.asyncIterator in records)
  );
}

/** What the service said to all batches. */
export class IngestTotals {
  private readonly total: IngestAnswer;
  private refusal?: FeedloomError;

  constructor(dry_run?: true) {
    const counts = { accepted: 0, rejected_count: 0, rejected: [] };
    this.total = { status: 'success', ...counts, ...(dry_run && { dry_run }) };
  }

  /** @param start number of records before the batch */
  add(answer: IngestAnswer, start: number): void {
    const { total } = this;
    total.accepted += answer.accepted;
    this.addRejected(answer.rejected_count, answer.rejected, start);
    if (answer.warnings === undefined) return;
    // Warnings name records by their place in the batch.
    const place = start === 0 ? '' : `in the batch from record ${start}: `;
    total.warnings = [...(total.warnings ?? []), ...answer.warnings.map((warning) => place + warning)];
  }

  /** A batch of which no record was accepted. @throws the error if it is another one */
  addRefusal(error: unknown, { records, start }: Batch<unknown>): void {
    if (!(error instanceof FeedloomError) || error.rejected.length === 0) throw error;
    this.refusal ??= error;
    this.addRejected(records.length, error.rejected, start);
  }

  /** @throws FeedloomError if there were records and none was accepted */
  get answer(): IngestAnswer {
    if (this.refusal !== undefined && this.total.accepted === 0) throw this.refusal;
    return this.total;
  }

  private addRejected(count: number, rejected: IngestAnswer['rejected'], start: number): void {
    this.total.rejected_count += count;
    for (const { index, detail } of rejected) this.total.rejected.push({ index: index + start, detail });
  }
}
