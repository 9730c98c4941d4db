import { LIMITS } from '../limits.ts';
import { clamped } from '../model/acts.ts';
import type { Key } from '../model/key.ts';
import { type DeletedActs, inStretches, type Purging, type Steps } from './purge-work.ts';
import { ALL_ACTS } from './rows.ts';

type Dated = Pick<DeletedActs, 'seq' | 'applied_at' | 'timestamp'>;

interface ActRow {
  user_key: Key;
  item_key: Key;
  event_type: number;
}

/** `seq` of the last deletion of acts by a user on an item of one type: of all of them (0 without one), and by time. */
interface LastDeletions {
  of_all: number;
  by_time: Map<number, number>;
}

/** Removes the rows of deleted acts. A deletion of acts that are gone changes nothing. */
export async function* removeDeletedActs(purging: Purging, acts: readonly DeletedActs[]): Steps {
  if (acts.length === 0) return;
  const { db, integersIn } = purging.connection;
  const last_deletions = lastDeletions(acts);
  const users = JSON.stringify([...new Set(acts.map(({ user_key }) => user_key))]);
  const items = JSON.stringify([...new Set(acts.map(({ item_key }) => item_key))]);
  yield* inStretches(purging, async (after, until) => {
    const rows = await db
      .selectFrom('interactions')
      .select(['seq', 'applied_at', 'user_key', 'item_key', 'event_type', 'timestamp'])
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where('user_key', 'in', integersIn(users))
      .where('item_key', 'in', integersIn(items))
      .where('event_id', '=', '')
      .execute();
    const gone = rows.filter((row) => isDeleted(row, last_deletions.get(nameOf(row))));
    await removeRows(purging, 'interactions', gone);
  });
}

/** Removes the rows of deletions of acts, which name the same user, item and time as the acts. */
export function removeActDeletions(purging: Purging, acts: readonly DeletedActs[]): Promise<void> {
  return removeRows(purging, 'act_deletions', acts);
}

async function removeRows(
  { connection: { db, integersIn } }: Purging,
  table: 'interactions' | 'act_deletions',
  rows: readonly { seq: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  const seqs = JSON.stringify(rows.map(({ seq }) => Number(seq)));
  await db.deleteFrom(table).where('seq', 'in', integersIn(seqs)).execute();
}

function lastDeletions(acts: readonly DeletedActs[]): Map<string, LastDeletions> {
  const last_deletions = new Map<string, LastDeletions>();
  for (const deletion of acts) {
    const name = nameOf(deletion);
    const last = last_deletions.get(name) ?? { of_all: 0, by_time: new Map() };
    last_deletions.set(name, last);
    const { seq } = deletion;
    if (deletion.timestamp === ALL_ACTS) last.of_all = Math.max(last.of_all, seq);
    else {
      const time = timeOf(deletion);
      last.by_time.set(time, Math.max(last.by_time.get(time) ?? 0, seq));
    }
  }
  return last_deletions;
}

/** Whether one of the deletions came after the row and means its time. */
function isDeleted(row: Dated, last: LastDeletions | undefined): boolean {
  if (last === undefined) return false;
  return Number(row.seq) < Math.max(last.of_all, last.by_time.get(timeOf(row)) ?? 0);
}

/** The time of an act that is identified by it, as the state knows it. */
function timeOf({ timestamp, applied_at }: Dated): number {
  return clamped(timestamp, applied_at + LIMITS.future_tolerance_seconds);
}

function nameOf({ user_key, item_key, event_type }: ActRow): string {
  return `${user_key} ${item_key} ${event_type}`;
}
