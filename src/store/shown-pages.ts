import { sql } from 'kysely';
import { SHOWN, type ShownChange } from '../model/changes/shown.ts';
import { readChanges } from './read-changes.ts';
import type { Reading } from './reading.ts';

/** Whose pages are read: of one viewer, or of all in the order of viewers. */
export type ShownOf = 'viewer' | 'all';

/** Pages that are read at once, all of which are in memory, and decoded on the serving thread. */
const READ_MAX: Readonly<Record<ShownOf, number>> = { viewer: 1_000, all: 250 };

/** A place in the log of shown pages: behind a page. */
export interface ShownPlace {
  viewer: string;
  seq: number;
}

/** Reads the next logged pages, by viewer and `seq`. A range of an index. */
export function readShown(
  reading: Reading,
  { viewer, seq }: ShownPlace,
  of: ShownOf,
): Promise<ShownChange[]> {
  const condition =
    of === 'viewer'
      ? sql`viewer = ${viewer} and seq > ${seq}`
      : sql`viewer >= ${viewer} and (viewer > ${viewer} or seq > ${seq})`;
  return readChanges(reading, SHOWN.kind, condition, { most: READ_MAX[of], order: sql`viewer, seq` });
}
