import { afterAll } from 'bun:test';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test file, and resources to close after its last test. Create it at the top of the file. */
export class CleanUp {
  readonly folder: string;
  private readonly ends: (() => void)[] = [];

  /** @param prefix prefix of the folder's name */
  constructor(prefix: string) {
    this.folder = mkdtempSync(join(tmpdir(), prefix));
    afterAll(() => {
      for (const end of this.ends) end();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  atEnd(end: () => void): void {
    this.ends.push(end);
  }

  /** A file descriptor of this process, open until then. */
  opened(path: string, flags: number): number {
    const descriptor = openSync(path, flags);
    this.atEnd(() => closeSync(descriptor));
    return descriptor;
  }
}
