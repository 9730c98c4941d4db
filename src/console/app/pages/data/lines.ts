/** Reads files of any size in slices, so that the page stays responsive. */

export interface Slice {
  lines: readonly string[];
  /** Number of the first one; 1 is the first of the file. */
  first: number;
  /** Bytes of the file that have been read. Of a compressed file, compressed ones. */
  read_bytes: number;
}

/** A line that is longer than this is no record. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * The lines of a UTF-8 file. Files whose names end with `.gz` are decompressed.
 * @throws Error in words for people if the file cannot be read
 */
export async function* linesOf(file: File): AsyncGenerator<Slice, void> {
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
  let first = 1;
  try {
    for (;;) {
      const { done, value } = await reading(() => reader.read(), is_compressed);
      const text = rest + (await reading(async () => decoder.decode(value, { stream: !done }), false));
      const lines = text.split('\n');
      // The last one goes on in the next slice.
      rest = done ? '' : (lines.pop() ?? '');
      if (done && lines.at(-1) === '') lines.pop();
      if (rest.length > LINE_LENGTH_MAX) throw new Error(`line ${first + lines.length} is too long`);
      if (lines.length > 0) yield { lines, first, read_bytes };
      first += lines.length;
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
