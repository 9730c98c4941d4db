import { sql } from 'kysely';
import { BitSet } from '../bit-set.ts';
import { LIMITS } from '../limits.ts';
import { checkpointEntry } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { learntUntil } from './latest.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { removeSeqs, type Steps } from './purge-work.ts';

/**
 * Purges former versions of profiles.
 *
 * A version is complete, so replaying only the latest one gives the same state. Without this purge, a profile that is
 * sent every day would fill the disk. The latest version in the checkpoint and all later ones stay, because a running
 * export may look for an earlier one.
 */

/** There are no former versions up to this `seq`. */
const PROFILES_SEQ = 'profiles_seq';
/** The number of profiles that the last purge kept. */
const PROFILES_KEPT = 'profiles_kept';

/** The purge reads the whole table, so it needs at least this many new rows, … */
export const PROFILES_WORTH_A_PURGE = 1_000;
/** … and at least this share of the kept rows. */
const ADDED_SHARE = 1 / 4;

/**
 * Removes the former versions in steps. No steps if few rows were added since the last purge.
 * @param least_added minimum number of new rows
 */
export async function* purgeProfilesSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
  least_added = PROFILES_WORTH_A_PURGE,
): Steps {
  const { db } = connection;
  const entry = await checkpointEntry(db);
  if (entry === undefined) return;
  const until = Math.min(entry.seq, await learntUntil(db));
  const kept = await metaNumber(db, PROFILES_KEPT);
  const added = await profilesBetween(connection, await metaNumber(db, PROFILES_SEQ), until);
  if (added < Math.max(least_added, ADDED_SHARE * kept)) return;
  const users = new BitSet();
  let left = 0;
  for (let last = until; last > 0; last -= step_rows) {
    left += await dropFormer(connection, last - step_rows, last, users);
    yield 'step';
  }
  await setMetaNumber(db, PROFILES_KEPT, left);
  await setMetaNumber(db, PROFILES_SEQ, until);
}

async function profilesBetween({ db }: Connection, after: number, until: number): Promise<number> {
  const { rows } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll().as('rows'))
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/**
 * Removes the rows of a range whose users have later rows, and adds the other users to the set.
 * @param users users with later profiles
 * @returns the number of rows that stay
 */
async function dropFormer(
  connection: Connection,
  after: number,
  until: number,
  users: BitSet,
): Promise<number> {
  const { db, values } = connection;
  const query = sql`select seq, user_key from users where seq > ${after} and seq <= ${until} order by seq desc`;
  const former: number[] = [];
  const rows = await values(query.compile(db));
  for (const [seq, key] of rows) {
    if (users.has(Number(key))) former.push(Number(seq));
    else users.add(Number(key));
  }
  await removeSeqs(connection, 'users', former);
  return rows.length - former.length;
}
