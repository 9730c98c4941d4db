import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refusing, StartupError } from '../../errors.ts';
import { WorkFolder } from '../../files/work-folder.ts';
import { FileWriter, partialName } from './file-writer.ts';
import { interchangeNamesIn, replacedNames } from './files.ts';

export interface ExportOptions {
  /** Replaces interchange files that are in the folder already. */
  force: boolean;
  gzip: boolean;
}

/** Where files are while not all of them are written. */
const UNDER_WAY = 'export.under-way';
const PARTS: ReadonlySet<string> = new Set(replacedNames().flatMap((name) => [name, partialName(name)]));
const isPart = (name: string): boolean => PARTS.has(name);

/**
 * Where an export goes, one at a time. Its files get their names when all of them are written, and those of an earlier export are
 * there until then: one that fails leaves what there was. To be finished or abandoned in any case.
 */
export class ExportFolder {
  private readonly names: string[] = [];
  private readonly work: WorkFolder;
  /** There was no such folder before. */
  private readonly is_new: boolean;

  /**
   * @throws StartupError `folder_in_use` by another export, or when there are interchange files and `force` is not set;
   * `folder_not_ours`, `unreadable_folder`, `unwritable_folder`
   */
  constructor(
    private readonly folder: string,
    private readonly options: ExportOptions,
  ) {
    this.requireFree();
    this.is_new = this.changing(() => mkdirSync(folder, { recursive: true, mode: 0o700 })) !== undefined;
    const work = this.changing(() => WorkFolder.take(join(folder, UNDER_WAY), isPart));
    if (work === undefined) {
      throw new StartupError(
        'folder_in_use',
        `another export to '${folder}' is under way`,
        'Wait for its end, or name another folder.',
      );
    }
    this.work = work;
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

  /**
   * Everything is written: from now on it is what the folder holds.
   * @throws StartupError `unwritable_folder`, `folder_in_use` when interchange files have come meanwhile
   */
  finish(): void {
    this.requireFree();
    this.changing(() => {
      if (this.options.force) this.replace();
      else for (const name of this.names) this.work.place(name, join(this.folder, name));
    });
    this.leave();
  }

  /** Not everything could be written; the reason matters more than what cannot be removed either. */
  abandon(): void {
    this.leave();
  }

  private requireFree(): void {
    const present = interchangeNamesIn(this.folder);
    if (present.length === 0 || this.options.force) return;
    throw new StartupError(
      'folder_in_use',
      `'${this.folder}' already has interchange files (${present.join(', ')})`,
      'Name another folder, or add --force to replace them.',
    );
  }

  private replace(): void {
    for (const name of replacedNames()) {
      if (!this.names.includes(name)) rmSync(join(this.folder, name), { force: true });
    }
    for (const name of this.names) renameSync(join(this.work.path, name), join(this.folder, name));
  }

  private leave(): void {
    this.work.remove();
    if (!this.is_new) return;
    try {
      rmdirSync(this.folder);
    } catch {
      // Something was written.
    }
  }

  private changing<T>(change: () => T): T {
    return refusing('unwritable_folder', `the folder '${this.folder}' cannot be written`, change);
  }

  private begin(plain_name: string): FileWriter {
    const name = this.options.gzip ? `${plain_name}.gz` : plain_name;
    this.names.push(name);
    return new FileWriter(this.work.path, name, this.options.gzip);
  }
}
