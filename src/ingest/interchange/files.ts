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

/** Interchange files that other commands read. */
const OTHER_NAMES = ['feeds.jsonl', 'events.csv', 'tokens.jsonl'];

export interface InterchangeFile {
  kind: Kind;
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
  ignored: IgnoredFile[];
}

/** The names under which a kind of file may lie in a folder. */
export function namesOf(kind: Kind): string[] {
  return [FILE_NAMES[kind], `${FILE_NAMES[kind]}.gz`];
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
  const files: InterchangeFile[] = [];
  for (const kind of KINDS) {
    const found = namesOf(kind).filter((name) => names.includes(name));
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
  if (files.length === 0) {
    throw new StartupError(
      'nothing_to_import',
      `there is no interchange file in '${folder}'`,
      `It may hold ${Object.values(FILE_NAMES).join(', ')}, each also with .gz.`,
    );
  }
  const taken = new Set(files.map(({ name }) => name));
  const ignored = names.filter((name) => !taken.has(name)).map((name) => ({ name, reason: reasonFor(name) }));
  return { files, ignored };
}

/** Names of interchange files that are in a folder, whatever command reads them; none when it is absent. */
export function interchangeNamesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const known = [...Object.values(FILE_NAMES), ...OTHER_NAMES];
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
