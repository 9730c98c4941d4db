import { csvFields } from '../../../../rows/csv.ts';

/** Reads files of any size in slices, so that the page stays responsive. */

/** A record as it is written. */
export interface FileRecord {
  /** Without its line end. */
  text: string;
  /** Number of its first line; 1 is the first of the file. */
  line: number;
  /** A CSV record with a quoted field that is not closed. */
  is_open: boolean;
}

interface Slice<T> {
  parts: readonly T[];
  /** Bytes of the file that have been read. Of a compressed file, compressed ones. */
  read_bytes: number;
}

/** A line that is longer than this is no record. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024;
/** Lines of one CSV record at most. */
const RECORD_LINES_MAX = 1_000;

/**
 * The records of a UTF-8 file: lines that are not blank, in CSV with the lines that belong to them. Files whose names end
 * with `.gz` are decompressed.
 * @throws Error in words for people if the file cannot be read
 */
export async function* recordsOf(file: File, is_csv: boolean): AsyncGenerator<Slice<FileRecord>, void> {
  let open: FileRecord | undefined;
  let line = 0;
  for await (const { parts: lines, read_bytes } of linesOf(file)) {
    const records: FileRecord[] = [];
    for (const raw of lines) {
      line++;
      const own = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      const text: string = open === undefined ? own : `${open.text}\n${own}`;
      const first: number = open?.line ?? line;
      const is_open = is_csv && text.includes('"') && csvFields(text) === undefined;
      const record: FileRecord = { text, line: first, is_open };
      if (is_open && line - first < RECORD_LINES_MAX) open = record;
      else {
        open = undefined;
        if (text.trim() !== '') records.push(record);
      }
    }
    yield { parts: records, read_bytes };
  }
  if (open !== undefined) yield { parts: [open], read_bytes: file.size };
}

async function* linesOf(file: File): AsyncGenerator<Slice<string>, void> {
  let read_bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      read_bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  const is_compressed = file.name.toLowerCase().endsWith('.gz');
  const raw = file.stream().pipeThrough(counted);
  const bytes = is_compressed ? raw.pipeThrough(new DecompressionStream('gzip')) : raw;
  const reader = bytes.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let count = 0;
  try {
    for (;;) {
      const { done, value } = await reading(() => reader.read(), is_compressed);
      const text = rest + (await reading(async () => decoder.decode(value, { stream: !done }), false));
      const lines = text.split('\n');
      // The last one goes on in the next slice.
      rest = done ? '' : (lines.pop() ?? '');
      if (done && lines.at(-1) === '') lines.pop();
      count += lines.length;
      if (rest.length > LINE_LENGTH_MAX) throw new Error(`line ${count + 1} is too long`);
      if (lines.length > 0) yield { parts: lines, read_bytes };
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function reading<T>(work: () => Promise<T>, is_compressed: boolean): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError && /decod/i.test(error.message)) throw new Error('the file is not UTF-8');
    if (is_compressed) throw new Error('the file is not a whole gzip file');
    throw new Error('the file cannot be read any more; choose it again');
  }
}
