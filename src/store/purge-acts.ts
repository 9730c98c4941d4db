import { EARLIEST, type Key } from '../state/change.ts';
import { type DeletedActs, inStretches, type Purging, type Steps } from './purge-work.ts';
import { ALL_ACTS } from './rows.ts';

/** The deletions of the acts of one type by a user on an item. */
type Deleted = readonly DeletedActs[];

interface ActRow {
  user_key: Key;
  item_key: Key;
  event_type: number;
}

/**
 * Removes the rows of deleted acts, and then those of their deletions, which name the same user, item and time.
 *
 * Until its row is gone, a deletion of acts that are gone changes nothing.
 */
export async function* removeDeletedActs(purging: Purging, acts: readonly DeletedActs[]): Steps {
  if (acts.length === 0) return;
  const { db, integersIn } = purging.connection;
  const by_act = Map.groupBy(acts, nameOf);
  const users = JSON.stringify([...new Set(acts.map(({ user_key }) => user_key))]);
  const items = JSON.stringify([...new Set(acts.map(({ item_key }) => item_key))]);
  yield* inStretches(purging, async (after, until) => {
    const rows = await db
      .selectFrom('interactions')
      .select(['seq', 'user_key', 'item_key', 'event_type', 'timestamp'])
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where('user_key', 'in', integersIn(users))
      .where('item_key', 'in', integersIn(items))
      .execute();
    const gone = rows.filter((row) => isDeleted(row, by_act.get(nameOf(row)) ?? []));
    await removeRows(purging, 'interactions', gone);
  });
  await removeRows(purging, 'act_deletions', acts);
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

/** Whether one of the deletions came after the row and means its time. */
function isDeleted(row: { seq: number; timestamp: number }, deletions: Deleted): boolean {
  return deletions.some(
    ({ seq, timestamp }) =>
      Number(row.seq) < seq && (timestamp === ALL_ACTS || known(timestamp) === known(row.timestamp)),
  );
}

/** A time as the state knows it. */
function known(timestamp: number): number {
  return Math.max(timestamp, EARLIEST);
}

function nameOf({ user_key, item_key, event_type }: ActRow): string {
  return `${user_key} ${item_key} ${event_type}`;
}
