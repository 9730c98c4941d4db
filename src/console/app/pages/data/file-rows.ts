/** Reads files of any size in slices, so that the page stays responsive. */
import {
  CsvFormat,
  JsonFormat,
  type Reading,
  type RecordSpec,
  SELF_RELATION,
} from '../../../../interchange/line-formats.ts';
import { fieldsOf, RECORDS } from '../../../../mapping/kinds.ts';
import type { FileMap } from '../../../../mapping/map.ts';
import type { Sample } from '../../../../mapping/sample.ts';
import { Sampler } from '../../../../mapping/sampler.ts';
import { isCompressed, isCsv } from '../../../../rows/file-names.ts';
import { gunzip } from '../../../../rows/gunzip.ts';
import type { Row } from '../../../../rows/row.ts';
import { RowReader } from '../../../../rows/row-reader.ts';

interface Slice {
  rows: readonly Row[];
  /** Bytes of the file that have been read. Of a compressed file, compressed ones. */
  read_bytes: number;
  /** What was recognised of the file so far. */
  notes: readonly string[];
}

/** @throws Error in words for people if the file cannot be read */
export async function* rowsOf(file: File): AsyncGenerator<Slice, void> {
  const reader = new RowReader(file.name);
  let read_bytes = 0;
  const slice = (): Slice => {
    const rows: Row[] = [];
    for (let row = reader.next(); row !== undefined; row = reader.next()) rows.push(row);
    return { rows, read_bytes, notes: reader.notes };
  };
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      read_bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  const is_compressed = isCompressed(file.name);
  const raw = file.stream().pipeThrough(counted);
  const bytes = is_compressed ? raw.pipeThrough(gunzip()) : raw;
  const stream = bytes.getReader();
  try {
    for (;;) {
      const { done, value } = await stream.read().catch(() => {
        if (is_compressed) throw new Error('the file is not a whole gzip file');
        throw new Error('the file cannot be read any more; choose it again');
      });
      if (done) break;
      reader.push(value);
      yield slice();
    }
    reader.end();
    yield slice();
  } finally {
    await stream.cancel().catch(() => {});
  }
}

/** The beginning of a file. @throws Error if it cannot be read, or has no rows */
export async function sampleOfFile(file: File): Promise<Sample> {
  const sampler = new Sampler(file.name);
  for await (const { rows } of rowsOf(file)) {
    if (!rows.every((row) => sampler.add(row))) break;
  }
  if (sampler.is_empty) throw new Error('the file is empty');
  return sampler.sample;
}

interface Sent {
  fields: Record<string, unknown>;
}

/** Reads rows by a map to what is sent to the service, which checks it. @throws Error if no row can be understood */
export function rowReader(file: File, map: FileMap): (row: Row) => Reading<Sent> {
  const spec: RecordSpec<Sent> = {
    ...{ cells: RECORDS[map.kind].cells, required: [], optional: fieldsOf(map.kind) },
    parse(given) {
      const fields = given as Sent['fields'];
      // The service would refuse it, but it is no fault of a file.
      const { user_id, target_user_id } = fields;
      if (user_id !== undefined && user_id === target_user_id) return SELF_RELATION;
      return { type: 'record', timed: { fields }, warnings: [] };
    },
  };
  const is_mapped = map.fields.size > 0 || map.skips.length > 0;
  const given = is_mapped ? { map } : {};
  const format = isCsv(file.name) ? new CsvFormat(spec, given) : new JsonFormat(spec, given);
  return (row) => {
    if (row.fault !== undefined) return { type: 'bad', reason: row.fault, warnings: [] };
    const reading = format.read(row);
    if (reading.type === 'bad_header') throw new Error(reading.reason);
    return reading;
  };
}
