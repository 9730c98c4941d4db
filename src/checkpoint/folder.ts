import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointEntry } from '../store/checkpoint-store.ts';
import type { Location } from '../store/connection.ts';

const SUFFIX = '.checkpoint';
const LISTS_SUFFIX = '.lists';

/** Prefix of file names. Several PostgreSQL databases may share a folder. An embedded database has its own. */
function prefixOf({ community = 'content', database_url }: Location, database_id: string): string {
  return database_url === undefined ? `${community}-` : `${database_id}-${community}-`;
}

export function checkpointFile(place: Location, database_id: string, name: string): string {
  return join(place.data, prefixOf(place, database_id) + name + SUFFIX);
}

export function listsFile(place: Location, database_id: string, name: string): string {
  return join(place.data, prefixOf(place, database_id) + name + LISTS_SUFFIX);
}

/**
 * Removes the files of checkpoints other than the current one.
 * @param before in seconds; files that were changed later stay
 */
export function removeFormer(
  place: Location,
  database_id: string,
  current: CheckpointEntry | undefined,
  before = Number.POSITIVE_INFINITY,
): void {
  const prefix = prefixOf(place, database_id);
  const kept: string[] = [];
  if (current !== undefined) kept.push(checkpointFile(place, database_id, current.name));
  if (current?.lists_digest !== undefined) kept.push(listsFile(place, database_id, current.name));
  for (const name of namesIn(place.data)) {
    const file = join(place.data, name);
    const is_own = name.startsWith(prefix) && (name.includes(SUFFIX) || name.includes(LISTS_SUFFIX));
    if (is_own && !kept.includes(file) && changedAt(file) < before) rmSync(file, { force: true });
  }
}

/** Seconds; 0 if there is no such file any more. */
function changedAt(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // With PostgreSQL, the folder may not exist yet.
    return [];
  }
}
