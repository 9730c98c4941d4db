import { sql } from 'kysely';
import type { ShownChange } from '../model/changes/shown.ts';
import { readChanges } from './read-changes.ts';
import type { Reading } from './reading.ts';

/** Pages that are read at once. */
const READ_MAX = 1_000;

/** Reads the next logged pages of a viewer, in order of `seq`. One lookup in an index. */
export function readShown(reading: Reading, viewer: string, after: number): Promise<ShownChange[]> {
  return readChanges(reading, 'shown', sql`viewer = ${viewer} and seq > ${after}`, READ_MAX);
}
