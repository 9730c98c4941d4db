import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusing, StartupError } from '../errors.ts';
import { listed } from '../mapping/columns.ts';
import type { RowOptions } from '../mapping/field-reader.ts';
import { KINDS, type Kind } from '../mapping/kinds.ts';
import type { FileMap } from '../mapping/map.ts';
import { FILE_ENDINGS, isMappable, plainName } from '../rows/file-names.ts';

/** The names of interchange files by kind. */
const GROUPS = {
  files: {
    users: 'users.jsonl',
    items: 'items.jsonl',
    follows: 'follows.csv',
    blocks: 'blocks.csv',
    engagement: 'engagement.csv',
    interactions: 'interactions.csv',
    impressions: 'impressions.csv',
    labels: 'labels.csv',
  } satisfies Record<Kind, string>,
  /** Saved feeds. They are not records of a community, so they are imported separately and not evaluated. */
  feed_files: { feeds: 'feeds.jsonl' },
  /** Lists of users, imported after the records. */
  list_files: { lists: 'lists.jsonl' },
  /** Preferences of users, imported after the records. */
  preferences_files: { preferences: 'preferences.jsonl' },
  /** Experiments on saved feeds, imported after these. */
  experiment_files: { experiments: 'experiments.jsonl' },
  /** The files of the wallet community. */
  wallet_files: { events: 'events.csv', tokens: 'tokens.jsonl' },
} as const;

/** Files that are exported for other software, and never imported. */
const EXPORTED = { shown: 'shown.jsonl' } as const;

export type FeedKind = keyof typeof GROUPS.feed_files;
export type ExperimentKind = keyof typeof GROUPS.experiment_files;
export type WalletKind = keyof typeof GROUPS.wallet_files;
export type ListKind = keyof typeof GROUPS.list_files;
export type PreferencesKind = keyof typeof GROUPS.preferences_files;
export type LineKind = FeedKind | ListKind | PreferencesKind | ExperimentKind;
export type FileKind = Kind | WalletKind | LineKind;
export type ExportKind = FileKind | keyof typeof EXPORTED;

export const NAMES: Readonly<Record<FileKind, string>> = {
  ...GROUPS.files,
  ...GROUPS.feed_files,
  ...GROUPS.list_files,
  ...GROUPS.preferences_files,
  ...GROUPS.experiment_files,
  ...GROUPS.wallet_files,
};
/** The names of the files of an export. */
export const EXPORT_NAMES: Readonly<Record<ExportKind, string>> = { ...NAMES, ...EXPORTED };

const IMPORTED_NAMES: readonly string[] = Object.values(NAMES);
const KNOWN_NAMES: readonly string[] = Object.values(EXPORT_NAMES);

/** Options for reading the files of a folder. */
export interface FolderOptions extends RowOptions {
  maps?: readonly FileMap[];
}

export interface InterchangeFile<K = Kind> extends RowOptions {
  kind: K;
  /** Absent if columns or fields have the standard names. */
  map?: FileMap;
  /** The name in the folder, including `.gz`. */
  name: string;
  path: string;
  /** Undefined for a pipe, whose size is unknown before it is read. */
  bytes: number | undefined;
}

export interface IgnoredFile {
  name: string;
  reason: string;
}

export interface Folder {
  files: InterchangeFile[];
  /** At most one. */
  feed_files: InterchangeFile<FeedKind>[];
  /** At most one. */
  list_files: InterchangeFile<ListKind>[];
  /** At most one. */
  preferences_files: InterchangeFile<PreferencesKind>[];
  /** At most one. */
  experiment_files: InterchangeFile<ExperimentKind>[];
  wallet_files: InterchangeFile<WalletKind>[];
  ignored: IgnoredFile[];
}

/** All names that an export may have left in a folder. */
export function replacedNames(): string[] {
  return KNOWN_NAMES.flatMap(bothNames);
}

/** The plain and the compressed name of a file. */
function bothNames(plain_name: string): string[] {
  return [plain_name, `${plain_name}.gz`];
}

/**
 * Finds interchange files and mapped files in a folder.
 * @throws StartupError `no_such_folder`, `unreadable_folder`, `unreadable_file`, `nothing_to_import`, `bad_map` for a
 * map of a missing file, `ambiguous_files` if a file exists twice: plain and compressed, or in capitals
 */
export function readFolder(folder: string, { maps = [], ...options }: FolderOptions = {}): Folder {
  const all_names = folderNames(folder);
  const mapped = maps.map((map) => mappedFile(all_names, folder, map));
  const names = all_names.filter((name) => !mapped.some((file) => file.name === name));
  const among = <K extends string>(group: Readonly<Record<K, string>>) =>
    filesAmong(names, folder, group).map((file) => ({ ...file, ...options }));
  const files = [...among(GROUPS.files), ...mapped.map((file) => ({ ...file, ...options }))].toSorted(
    (one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
  );
  const feed_files = among(GROUPS.feed_files);
  const list_files = among(GROUPS.list_files);
  const preferences_files = among(GROUPS.preferences_files);
  const experiment_files = among(GROUPS.experiment_files);
  const wallet_files = among(GROUPS.wallet_files);
  const by_line = { feed_files, list_files, preferences_files, experiment_files };
  const known = [...files, ...Object.values(by_line).flat(), ...wallet_files];
  if (known.length === 0) throw nothingToImport(folder, names);
  const taken = new Set(known.map(({ name }) => name));
  const ignored = names
    .filter((name) => !taken.has(name))
    .map((name) => ({ name, reason: reasonToIgnore(name) }));
  return { files, ...by_line, wallet_files, ignored };
}

function mappedFile(names: readonly string[], folder: string, map: FileMap): InterchangeFile {
  const ended = isMappable(map.file) ? [map.file] : FILE_ENDINGS.map((ending) => map.file + ending);
  const wanted = ended.flatMap(bothNames);
  const name =
    wanted.find((each) => names.includes(each)) ??
    names.find((each) => wanted.some((one) => one.toLowerCase() === each.toLowerCase()));
  if (name === undefined) {
    const held = names.length === 0 ? 'it is empty' : `it holds ${listed(names)}`;
    throw new StartupError('bad_map', `--map: there is no '${map.file}' in '${folder}'; ${held}`);
  }
  const path = join(folder, name);
  return { kind: map.kind, map, name, path, bytes: readableBytes(path) };
}

function nothingToImport(folder: string, names: readonly string[]): StartupError {
  const held = names.length === 0 ? 'it is empty' : `it holds ${listed(names)}`;
  return new StartupError(
    'nothing_to_import',
    `there is no interchange file in '${folder}': ${held}`,
    `Expected ${IMPORTED_NAMES.join(', ')}, each also with .gz. feedloom import --map reads files with other names, and feedloom import --help describes the contents.`,
  );
}

function reasonToIgnore(name: string): string {
  if (KNOWN_NAMES.includes(plainName(name)))
    return 'an export writes it for other software, no import reads it';
  const kind = KINDS.find((each) => plainName(name).startsWith(`${each}.`));
  const wanted = kind === undefined ? '' : `; ${kind} are read from ${NAMES[kind]}`;
  return `not an interchange file${wanted}`;
}

/** The files of some kinds, in the order of the kinds. */
function filesAmong<K extends string>(
  names: readonly string[],
  folder: string,
  plain_names: Readonly<Record<K, string>>,
): InterchangeFile<K>[] {
  const files: InterchangeFile<K>[] = [];
  for (const kind of Object.keys(plain_names) as K[]) {
    const found = names.filter((name) => plainName(name) === plain_names[kind]);
    if (found.length > 1) {
      throw new StartupError(
        'ambiguous_files',
        `'${folder}' holds both ${found.join(' and ')}`,
        'Remove or rename one of the two.',
      );
    }
    for (const name of found) {
      const path = join(folder, name);
      files.push({ kind, name, path, bytes: readableBytes(path) });
    }
  }
  return files;
}

/** Names of interchange files in a folder; empty if it does not exist. @throws StartupError `unreadable_folder` */
export function interchangeNamesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return namesIn(folder).filter((name) => KNOWN_NAMES.includes(plainName(name)));
}

/** Names of files in a folder that a map can read, without pipes. @throws StartupError as `readFolder` */
export function mappableNamesIn(folder: string): string[] {
  return folderNames(folder).filter(
    (name) => isMappable(name) && readableBytes(join(folder, name)) !== undefined,
  );
}

/** Whether a file has the name of an interchange file of a kind. */
export function isNamedAs(name: string, kind: Kind): boolean {
  return plainName(name) === NAMES[kind];
}

/** The size of a readable file in bytes; undefined for a pipe. @throws StartupError `unreadable_file` */
export function readableBytes(path: string): number | undefined {
  const stats = refusing('unreadable_file', `'${path}' cannot be read`, () => {
    accessSync(path, constants.R_OK);
    return statSync(path);
  });
  if (!stats.isDirectory()) return stats.isFile() ? stats.size : undefined;
  throw new StartupError('unreadable_file', `'${path}' is a folder`, 'Put a file in its place.');
}

function folderNames(folder: string): string[] {
  const found = readingFolder(folder, () => statSync(folder, { throwIfNoEntry: false }));
  if (found?.isDirectory()) return namesIn(folder);
  throw new StartupError('no_such_folder', `there is no folder '${folder}'`);
}

function namesIn(folder: string): string[] {
  return readingFolder(folder, () => readdirSync(folder).sort());
}

function readingFolder<T>(folder: string, work: () => T): T {
  return refusing('unreadable_folder', `the folder '${folder}' cannot be read`, work);
}
