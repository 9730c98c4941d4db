import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusing, StartupError } from '../../errors.ts';

/** Kinds of interchange file, in the order in which records of one moment are taken. */
export const KINDS = [
  'users',
  'items',
  'follows',
  'blocks',
  'engagement',
  'interactions',
  'impressions',
] as const;
export type Kind = (typeof KINDS)[number];

export const FILE_NAMES: Readonly<Record<Kind, string>> = {
  users: 'users.jsonl',
  items: 'items.jsonl',
  follows: 'follows.csv',
  blocks: 'blocks.csv',
  engagement: 'engagement.csv',
  interactions: 'interactions.csv',
  impressions: 'impressions.csv',
};

/** The files of the community of wallets. */
export const WALLET_KINDS = ['events', 'tokens'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];
const WALLET_FILE_NAMES: Readonly<Record<WalletKind, string>> = {
  events: 'events.csv',
  tokens: 'tokens.jsonl',
};

/** Saved feeds, which are no records of a community: nobody evaluates them, and they are taken in by themselves. */
const FEED_KINDS = ['feeds'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];
const FEED_FILE_NAMES: Readonly<Record<FeedKind, string>> = { feeds: 'feeds.jsonl' };

/** What each community has learnt of trends, which its records do not tell: when they came in is not when things happened. */
const TREND_KINDS = ['trends', 'wallet_trends'] as const;
export type TrendKind = (typeof TREND_KINDS)[number];
const TREND_FILE_NAMES: Readonly<Record<TrendKind, string>> = {
  trends: 'trends.jsonl',
  wallet_trends: 'wallet_trends.jsonl',
};

/** The name of each kind of file. */
export const NAMES = { ...FILE_NAMES, ...FEED_FILE_NAMES, ...WALLET_FILE_NAMES, ...TREND_FILE_NAMES };

const KNOWN_NAMES: readonly string[] = Object.values(NAMES);

export interface InterchangeFile<K = Kind> {
  kind: K;
  /** As it is in the folder, `.gz` included. */
  name: string;
  path: string;
  /** Undefined where that is not known before it is read: of a pipe. */
  bytes: number | undefined;
}

export interface IgnoredFile {
  name: string;
  reason: string;
}

export interface Folder {
  /** In the order of `KINDS`. */
  files: InterchangeFile[];
  /** One at most. */
  feed_files: InterchangeFile<FeedKind>[];
  wallet_files: InterchangeFile<WalletKind>[];
  /** Of communities that are in the folder, too. */
  trend_files: InterchangeFile<TrendKind>[];
  ignored: IgnoredFile[];
}

/** Every name under which an export may have left something in a folder. */
export function replacedNames(): string[] {
  return KNOWN_NAMES.flatMap(bothNames);
}

/** The names under which a file may lie in a folder. */
function bothNames(plain_name: string): string[] {
  return [plain_name, `${plain_name}.gz`];
}

/**
 * Looks for interchange files in a folder.
 * @throws StartupError `no_such_folder`, `unreadable_folder`, `unreadable_file`, `nothing_to_import`, `ambiguous_files`
 * for a file that is there both plain and compressed
 */
export function readFolder(folder: string): Folder {
  const found = readingFolder(folder, () => statSync(folder, { throwIfNoEntry: false }));
  if (!found?.isDirectory()) {
    throw new StartupError('no_such_folder', `there is no folder '${folder}'`);
  }
  const names = namesIn(folder);
  const files = filesAmong(names, folder, FILE_NAMES, KINDS);
  const feed_files = filesAmong(names, folder, FEED_FILE_NAMES, FEED_KINDS);
  const wallet_files = filesAmong(names, folder, WALLET_FILE_NAMES, WALLET_KINDS);
  const trend_files = filesAmong(names, folder, TREND_FILE_NAMES, TREND_KINDS).filter(
    ({ kind }) => (kind === 'trends' ? files : wallet_files).length > 0,
  );
  const known = [...files, ...feed_files, ...wallet_files, ...trend_files];
  if (known.length === 0) {
    throw new StartupError(
      'nothing_to_import',
      `there is no interchange file in '${folder}'`,
      `It may hold ${KNOWN_NAMES.join(', ')}, each also with .gz; feedloom import --help tells what is in them.`,
    );
  }
  const taken = new Set(known.map(({ name }) => name));
  const others = names.filter((name) => !taken.has(name));
  const ignored = others.map((name) => ({
    name,
    reason: KNOWN_NAMES.includes(plainName(name))
      ? 'what it was learnt from is not here'
      : 'not an interchange file',
  }));
  return { files, feed_files, wallet_files, trend_files, ignored };
}

/** The files of some kinds, in the order of those. @throws StartupError `ambiguous_files`, `unreadable_file` */
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

/** Names of interchange files that are in a folder; none when it is absent. @throws StartupError `unreadable_folder` */
export function interchangeNamesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return namesIn(folder).filter((name) => KNOWN_NAMES.includes(plainName(name)));
}

/** The size of a file, once it is known that it may be read; undefined for a pipe. @throws StartupError `unreadable_file` */
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

function plainName(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : name;
}
