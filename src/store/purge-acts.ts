import { sql } from 'kysely';
import { LIMITS } from '../limits.ts';
import { clamped } from '../model/acts.ts';
import type { ActDeletionChange } from '../model/changes/act-deletion.ts';
import { type Purging, removeRows, type Steps } from './purge-work.ts';

/** What an act and a deletion of acts have in common. */
type ActRow = Pick<ActDeletionChange, 'user' | 'item' | 'event_type'>;
type Dated = Pick<ActDeletionChange, 'seq' | 'applied_at'> & { timestamp: number };

/** `seq` of the last deletion of acts by a user on an item of one type: of all of them (0 without one), and by time. */
interface LastDeletions {
  of_all: number;
  by_time: Map<number, number>;
}

/** Removes the rows of deleted acts. A deletion of acts that are gone changes nothing. */
export async function* removeDeletedActs(purging: Purging, acts: readonly ActDeletionChange[]): Steps {
  if (acts.length === 0) return;
  const { integersIn } = purging.connection;
  const last_deletions = lastDeletions(acts);
  const users = integersIn(JSON.stringify([...new Set(acts.map(({ user }) => user))]));
  const items = integersIn(JSON.stringify([...new Set(acts.map(({ item }) => item))]));
  const examined = {
    table: 'interactions',
    columns: ['applied_at', 'user_key', 'item_key', 'event_type', 'timestamp'],
    condition: sql`user_key in ${users} and item_key in ${items} and event_id = ''`,
  } as const;
  yield* removeRows(purging, examined, (seq, applied_at, user, item, event_type, timestamp) =>
    isDeleted({ seq, applied_at, timestamp }, last_deletions.get(nameOf({ user, item, event_type }))),
  );
}

function lastDeletions(acts: readonly ActDeletionChange[]): Map<string, LastDeletions> {
  const last_deletions = new Map<string, LastDeletions>();
  for (const deletion of acts) {
    const name = nameOf(deletion);
    const last = last_deletions.get(name) ?? { of_all: 0, by_time: new Map() };
    last_deletions.set(name, last);
    const { seq, applied_at, timestamp } = deletion;
    if (timestamp === undefined) last.of_all = Math.max(last.of_all, seq);
    else {
      const time = timeOf({ timestamp, applied_at });
      last.by_time.set(time, Math.max(last.by_time.get(time) ?? 0, seq));
    }
  }
  return last_deletions;
}

/** Whether one of the deletions came after the row and means its time. */
function isDeleted(row: Dated, last: LastDeletions | undefined): boolean {
  if (last === undefined) return false;
  return row.seq < Math.max(last.of_all, last.by_time.get(timeOf(row)) ?? 0);
}

/** The time of an act that is identified by it, as the state knows it. */
function timeOf({ timestamp, applied_at }: Pick<Dated, 'timestamp' | 'applied_at'>): number {
  return clamped(timestamp, applied_at + LIMITS.future_tolerance_seconds);
}

function nameOf({ user, item, event_type }: ActRow): string {
  return `${user} ${item} ${event_type}`;
}
