import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refusing, StartupError } from '../errors.ts';
import { WorkFolder } from '../files/work-folder.ts';
import { FileWriter, partialName } from './file-writer.ts';
import { interchangeNamesIn, replacedNames } from './files.ts';

export interface ExportOptions {
  /** Replaces interchange files that exist in the folder. */
  force: boolean;
  gzip: boolean;
}

/** The subfolder for unfinished exports. */
const UNDER_WAY = 'export.under-way';
const PARTS: ReadonlySet<string> = new Set(replacedNames().flatMap((name) => [name, partialName(name)]));
const isPart = (name: string): boolean => PARTS.has(name);

/**
 * The target folder of an export, which has one export at a time.
 *
 * Files get their names when all of them are written. A failed export therefore leaves the files of an earlier one.
 * Always call `finish` or `abandon`.
 */
export class ExportFolder {
  private readonly names: string[] = [];
  private readonly work: WorkFolder;
  private readonly is_new: boolean;

  /**
   * @throws StartupError `folder_in_use` by another export, or if there are interchange files and `force` is not set;
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
        'Wait until it has finished, or name another folder.',
      );
    }
    this.work = work;
  }

  /**
   * Writes a file, or none if there are no lines.
   * @param header the first line with its line feed, or ''
   * @returns the number of lines, without the header
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
   * Moves the complete files to their place.
   * @throws StartupError `unwritable_folder`, `folder_in_use` if interchange files appeared meanwhile
   */
  finish(): void {
    this.requireFree();
    this.changing(() => {
      if (this.options.force) this.replace();
      else for (const name of this.names) this.work.place(name, join(this.folder, name));
    });
    this.leave();
  }

  /** Removes the unfinished files. Ignores errors, because the reason of the failure matters more. */
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
    for (const name of interchangeNamesIn(this.folder)) {
      if (!this.names.includes(name)) rmSync(join(this.folder, name), { force: true });
    }
    for (const name of this.names) renameSync(join(this.work.path, name), join(this.folder, name));
  }

  private leave(): void {
    this.work.remove();
    if (!this.is_new) return;
    try {
      rmdirSync(this.folder);
    } catch {}
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
