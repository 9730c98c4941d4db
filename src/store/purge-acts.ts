import { LIMITS } from '../limits.ts';
import { clamped, type Key } from '../state/change.ts';
import { type DeletedActs, inStretches, type Purging, type Steps } from './purge-work.ts';
import { ALL_ACTS } from './rows.ts';

type Dated = Pick<DeletedActs, 'seq' | 'applied_at' | 'timestamp'>;

interface ActRow {
  user_key: Key;
  item_key: Key;
  event_type: number;
}

/** Removes the rows of deleted acts. A deletion of acts that are gone changes nothing. */
export async function* removeDeletedActs(purging: Purging, acts: readonly DeletedActs[]): Steps {
  if (acts.length === 0) return;
  const { db, integersIn } = purging.connection;
  const by_act = Map.groupBy(acts, nameOf);
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
    const gone = rows.filter((row) => isDeleted(row, by_act.get(nameOf(row)) ?? []));
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

/** Whether one of the deletions came after the row and means its time. */
function isDeleted(row: Dated, deletions: readonly DeletedActs[]): boolean {
  const time = timeOf(row);
  return deletions.some(
    (deletion) =>
      Number(row.seq) < deletion.seq && (deletion.timestamp === ALL_ACTS || timeOf(deletion) === time),
  );
}

/** The time of an act that is identified by it, as the state knows it. */
function timeOf({ timestamp, applied_at }: Dated): number {
  return clamped(timestamp, applied_at + LIMITS.future_tolerance_seconds);
}

function nameOf({ user_key, item_key, event_type }: ActRow): string {
  return `${user_key} ${item_key} ${event_type}`;
}
