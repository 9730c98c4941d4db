import { createWriteStream, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileRefusal, refusing } from '../errors.ts';

const BUFFER_CHARACTERS = 256 * 1024;

export function partialName(name: string): string {
  return `${name}.partial`;
}

/** Writes a text file that gets its name when it is complete. All waits may fail with `unwritable_file`. */
export class FileWriter {
  lines = 0;
  private readonly sink: Writable;
  private readonly written: Promise<void>;
  private buffered: string[] = [];
  private buffered_characters = 0;

  /**
   * Creates the file at once. A file that is created later could appear after its folder was emptied.
   * @param gzip compresses it, whatever its name
   * @throws StartupError `unwritable_file`
   */
  constructor(folder: string, name: string, gzip: boolean) {
    const path = join(folder, name);
    const partial = partialName(path);
    const refused = `'${path}' cannot be written`;
    const fd = refusing('unwritable_file', refused, () => openSync(partial, 'wx', 0o600));
    const file = createWriteStream(partial, { fd });
    this.sink = gzip ? createGzip() : file;
    const written = gzip ? pipeline(this.sink as ReturnType<typeof createGzip>, file) : finished(file);
    this.written = written
      .then(() => renameSync(partial, path))
      .catch((error) => {
        throw fileRefusal('unwritable_file', refused, error);
      });
    this.written.catch(() => {});
  }

  /** Adds a line that ends in a line feed. Resolves when there is room for the next. */
  line(text: string): Promise<void> | undefined {
    this.lines++;
    return this.add(text);
  }

  /** As `line`, but does not count. */
  header(text: string): Promise<void> | undefined {
    return this.add(text);
  }

  async close(): Promise<void> {
    await this.flush();
    this.sink.end();
    await this.written;
  }

  private add(text: string): Promise<void> | undefined {
    this.buffered.push(text);
    this.buffered_characters += text.length;
    return this.buffered_characters < BUFFER_CHARACTERS ? undefined : this.flush();
  }

  private async flush(): Promise<void> {
    const text = this.buffered.join('');
    this.buffered = [];
    this.buffered_characters = 0;
    if (text === '' || this.sink.write(text)) return;
    await Promise.race([new Promise((resolve) => this.sink.once('drain', resolve)), this.written]);
  }
}
