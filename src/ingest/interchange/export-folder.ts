import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refusing, StartupError } from '../../errors.ts';
import { FileWriter } from './file-writer.ts';
import { interchangeNamesIn, replacedNames } from './files.ts';

export interface ExportOptions {
  /** Replaces interchange files that are in the folder already. */
  force: boolean;
  gzip: boolean;
}

/** What comes after the names of files while not all of them are written. */
const UNDER_WAY = '.exported';

/**
 * Where an export goes. Its files get their names when all of them are written, and those of an earlier export are there
 * until then: one that fails leaves what there was.
 */
export class ExportFolder {
  private readonly names: string[] = [];

  /** @throws StartupError `folder_in_use` when there are interchange files and `force` is not set, `unreadable_folder` */
  constructor(
    private readonly folder: string,
    private readonly options: ExportOptions,
  ) {
    const present = interchangeNamesIn(folder);
    if (present.length === 0 || options.force) return;
    throw new StartupError(
      'folder_in_use',
      `'${folder}' already has interchange files (${present.join(', ')})`,
      'Name another folder, or add --force to replace them.',
    );
  }

  /**
   * Writes a file; without lines there is none.
   * @param header its first line, ending in a line feed; '' for none
   * @returns the lines, the header apart
   * @throws StartupError `unwritable_folder`, `unwritable_file`
   */
  async write(
    plain_name: string,
    header: string,
    lines: AsyncIterable<string> | Iterable<string>,
  ): Promise<number> {
    let file: FileWriter | undefined;
    for await (const line of lines) {
      if (file === undefined) {
        file = this.begin(plain_name);
        if (header !== '') await file.header(header);
      }
      await file.line(line);
    }
    await file?.close();
    return file?.lines ?? 0;
  }

  /** Everything is written: from now on it is what the folder holds. @throws StartupError `unwritable_folder` */
  finish(): void {
    this.changing(() => {
      for (const name of replacedNames()) {
        if (!this.names.includes(name)) rmSync(join(this.folder, name), { force: true });
      }
      for (const name of this.names) {
        const path = join(this.folder, name);
        renameSync(path + UNDER_WAY, path);
      }
    });
  }

  /** Not everything could be written; the reason matters more than what cannot be removed either. */
  abandon(): void {
    for (const name of this.names) {
      for (const rest of [UNDER_WAY, `${UNDER_WAY}.partial`]) {
        try {
          rmSync(join(this.folder, name + rest), { force: true });
        } catch {}
      }
    }
  }

  private changing(change: () => void): void {
    refusing('unwritable_folder', `the folder '${this.folder}' cannot be written`, change);
  }

  private begin(plain_name: string): FileWriter {
    this.changing(() => mkdirSync(this.folder, { recursive: true }));
    const name = this.options.gzip ? `${plain_name}.gz` : plain_name;
    this.names.push(name);
    return new FileWriter(this.folder, name + UNDER_WAY, this.options.gzip);
  }
}
