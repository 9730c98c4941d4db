import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';

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
export const WALLET_FILE_NAMES: Readonly<Record<WalletKind, string>> = {
  events: 'events.csv',
  tokens: 'tokens.jsonl',
};

/** Interchange files that other commands read. */
const OTHER_NAMES = ['feeds.jsonl'];

export interface InterchangeFile<K = Kind> {
  kind: K;
  /** As it is in the folder, `.gz` included. */
  name: string;
  path: string;
  bytes: number;
}

export interface IgnoredFile {
  name: string;
  reason: string;
}

export interface Folder {
  /** In the order of `KINDS`. */
  files: InterchangeFile[];
  wallet_files: InterchangeFile<WalletKind>[];
  ignored: IgnoredFile[];
}

/** Every name under which an export may have left something in a folder. */
export function replacedNames(): string[] {
  return [...Object.values(FILE_NAMES), ...Object.values(WALLET_FILE_NAMES)].flatMap(bothNames);
}

/** The names under which a file may lie in a folder. */
function bothNames(plain_name: string): string[] {
  return [plain_name, `${plain_name}.gz`];
}

/**
 * Looks for interchange files in a folder.
 * @throws StartupError `no_such_folder`, `nothing_to_import`, `ambiguous_files` for a file that is there
 * both plain and compressed
 */
export function readFolder(folder: string): Folder {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new StartupError('no_such_folder', `there is no folder '${folder}'`);
  }
  const names = readdirSync(folder).sort();
  const files = filesAmong(names, folder, FILE_NAMES, KINDS);
  const wallet_files = filesAmong(names, folder, WALLET_FILE_NAMES, WALLET_KINDS);
  if (files.length === 0 && wallet_files.length === 0) {
    const known = [...Object.values(FILE_NAMES), ...Object.values(WALLET_FILE_NAMES)];
    throw new StartupError(
      'nothing_to_import',
      `there is no interchange file in '${folder}'`,
      `It may hold ${known.join(', ')}, each also with .gz.`,
    );
  }
  const taken = new Set([...files, ...wallet_files].map(({ name }) => name));
  const ignored = names.filter((name) => !taken.has(name)).map((name) => ({ name, reason: reasonFor(name) }));
  return { files, wallet_files, ignored };
}

/** The files of some kinds, in the order of those. @throws StartupError `ambiguous_files` */
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
      files.push({ kind, name, path, bytes: statSync(path).size });
    }
  }
  return files;
}

/** Names of interchange files that are in a folder, whatever command reads them; none when it is absent. */
export function interchangeNamesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const known = [...Object.values(FILE_NAMES), ...Object.values(WALLET_FILE_NAMES), ...OTHER_NAMES];
  return readdirSync(folder)
    .filter((name) => known.includes(plainName(name)))
    .sort();
}

function plainName(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : name;
}

function reasonFor(name: string): string {
  return OTHER_NAMES.includes(plainName(name)) ? 'import does not read it' : 'not an interchange file';
}
