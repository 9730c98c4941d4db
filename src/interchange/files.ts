import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusing, StartupError } from '../errors.ts';
import type { TimeUnit } from '../model/values/refusal.ts';
import { type FieldMap, listed } from './columns.ts';

/** Kinds of interchange files, in the order in which records at the same time are imported. */
export const FILE_NAMES = {
  users: 'users.jsonl',
  items: 'items.jsonl',
  follows: 'follows.csv',
  blocks: 'blocks.csv',
  engagement: 'engagement.csv',
  interactions: 'interactions.csv',
  impressions: 'impressions.csv',
} as const;
export type Kind = keyof typeof FILE_NAMES;
export const KINDS = Object.keys(FILE_NAMES) as Kind[];

/** The files of the wallet community. */
export const WALLET_KINDS = ['events', 'tokens'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];
const WALLET_FILE_NAMES: Readonly<Record<WalletKind, string>> = {
  events: 'events.csv',
  tokens: 'tokens.jsonl',
};

/** Saved feeds. They are not records of a community, so they are imported separately and not evaluated. */
const FEED_KINDS = ['feeds'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];
const FEED_FILE_NAMES: Readonly<Record<FeedKind, string>> = { feeds: 'feeds.jsonl' };

/** Experiments on saved feeds, imported after these. */
const EXPERIMENT_KINDS = ['experiments'] as const;
export type ExperimentKind = (typeof EXPERIMENT_KINDS)[number];
const EXPERIMENT_FILE_NAMES: Readonly<Record<ExperimentKind, string>> = { experiments: 'experiments.jsonl' };

export type FileKind = Kind | WalletKind | FeedKind | ExperimentKind;

export const NAMES: Readonly<Record<FileKind, string>> = {
  ...FILE_NAMES,
  ...FEED_FILE_NAMES,
  ...EXPERIMENT_FILE_NAMES,
  ...WALLET_FILE_NAMES,
};

const KNOWN_NAMES: readonly string[] = Object.values(NAMES);

/** How a foreign file is read as an interchange file. */
export interface FileMap extends FieldMap {
  /** Name of the file, with or without `.gz`. */
  file: string;
  kind: Kind;
}

/** Options for reading the files of a folder. */
export interface FolderOptions {
  maps?: readonly FileMap[];
  /** The unit of numeric times. Default: seconds. */
  time_unit?: TimeUnit;
}

export interface InterchangeFile<K = Kind> {
  kind: K;
  /** Absent if columns or fields have the standard names. */
  map?: FileMap;
  time_unit?: TimeUnit;
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
 * map of a missing file, `ambiguous_files` if a file exists both plain and compressed
 */
export function readFolder(folder: string, { maps = [], time_unit }: FolderOptions = {}): Folder {
  const found = readingFolder(folder, () => statSync(folder, { throwIfNoEntry: false }));
  if (!found?.isDirectory()) {
    throw new StartupError('no_such_folder', `there is no folder '${folder}'`);
  }
  const all_names = namesIn(folder);
  const mapped = maps.map((map) => mappedFile(all_names, folder, map));
  const names = all_names.filter((name) => !mapped.some((file) => file.name === name));
  const files = [...filesAmong(names, folder, FILE_NAMES, KINDS), ...mapped]
    .toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
    .map((file) => ({ ...file, time_unit }));
  const feed_files = filesAmong(names, folder, FEED_FILE_NAMES, FEED_KINDS);
  const experiment_files = filesAmong(names, folder, EXPERIMENT_FILE_NAMES, EXPERIMENT_KINDS);
  const wallet_files = filesAmong(names, folder, WALLET_FILE_NAMES, WALLET_KINDS).map((file) => ({
    ...file,
    time_unit,
  }));
  const known = [...files, ...feed_files, ...experiment_files, ...wallet_files];
  if (known.length === 0) throw nothingToImport(folder, names);
  const taken = new Set(known.map(({ name }) => name));
  const ignored = names
    .filter((name) => !taken.has(name))
    .map((name) => ({ name, reason: reasonToIgnore(name) }));
  return { files, feed_files, experiment_files, wallet_files, ignored };
}

function mappedFile(names: readonly string[], folder: string, map: FileMap): InterchangeFile {
  const name = bothNames(map.file).find((each) => names.includes(each));
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
    `Expected ${KNOWN_NAMES.join(', ')}, each also with .gz. feedloom import --map reads files with other names, and feedloom import --help describes the contents.`,
  );
}

function reasonToIgnore(name: string): string {
  const kind = KINDS.find((each) => plainName(name).startsWith(`${each}.`));
  const wanted = kind === undefined ? '' : `; ${kind} are read from ${FILE_NAMES[kind]}`;
  return `not an interchange file${wanted}`;
}

/** The files of some kinds, in the order of the kinds. @throws StartupError `ambiguous_files`, `unreadable_file` */
function filesAmong<K extends string>(
  names: readonly string[],
  folder: string,
  plain_names: Readonly<Record<K, string>>,
  kinds: readonly K[],
): InterchangeFile<K>[] {
  const files: InterchangeFile<K>[] = [];
  for (const kind of kinds) {
    const found = bothNames(plain_names[kind]).filter((name) => names.includes(name));
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

/** The size of a readable file in bytes; undefined for a pipe. @throws StartupError `unreadable_file` */
export function readableBytes(path: string): number | undefined {
  const stats = refusing('unreadable_file', `'${path}' cannot be read`, () => {
    accessSync(path, constants.R_OK);
    return statSync(path);
  });
  if (!stats.isDirectory()) return stats.isFile() ? stats.size : undefined;
  throw new StartupError('unreadable_file', `'${path}' is a folder`, 'Put a file in its place.');
}

function namesIn(folder: string): string[] {
  return readingFolder(folder, () => readdirSync(folder).sort());
}

function readingFolder<T>(folder: string, work: () => T): T {
  return refusing('unreadable_folder', `the folder '${folder}' cannot be read`, work);
}

/** The name of a file without `.gz`. */
export function plainName(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : name;
}
