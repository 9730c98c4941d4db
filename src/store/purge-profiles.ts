import { sql } from 'kysely';
import { BitSet } from '../bit-set.ts';
import { LIMITS } from '../limits.ts';
import { checkpointEntry } from './checkpoint-book.ts';
import { highestSeq } from './commit.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import type { Steps } from './purge-work.ts';
import { latestTrend } from './trends.ts';

/**
 * Takes out former versions of profiles: a version says all that there is to say, so a fold without those before it gives
 * the same state. A profile that is sent again every day, with another time of its last visit say, would else fill the disk.
 * The latest that the checkpoint holds stays, and whatever came after that: only an export that has been under way since may look for an earlier one.
 */

/** Up to this `seq` there are no former versions left, … */
const PROFILES_SEQ = 'profiles_seq';
/** … but one of each user, which are so many. */
const PROFILES_KEPT = 'profiles_kept';

/** It is worth reading the whole table when so many rows have come, … */
export const PROFILES_WORTH_A_PURGE = 1_000;
/** … and so many for each that is there. */
const ADDED_SHARE = 1 / 4;

/**
 * Steps until they are gone; none when few have come since the last time.
 * @param least_added rows that must have come
 */
export async function* purgeProfilesSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
  least_added = PROFILES_WORTH_A_PURGE,
): Steps {
  const { db } = connection;
  const entry = await checkpointEntry(db);
  if (entry === undefined) return;
  // What was learnt is stored up to there; rows after that still tell the learner the time.
  const until = Math.min(entry.seq, (await latestTrend(db)) || (await highestSeq(db)));
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
 * Takes out the rows of a stretch whose users have later ones, and adds the others' users to these.
 * @param users whose profiles come later
 * @returns how many rows stay
 */
async function dropFormer(
  { db, values, integersIn }: Connection,
  after: number,
  until: number,
  users: BitSet,
): Promise<number> {
  const query = sql`select seq, user_key from users where seq > ${after} and seq <= ${until} order by seq desc`;
  const former: number[] = [];
  const rows = await values(query.compile(db));
  for (const [seq, key] of rows) {
    if (users.has(Number(key))) former.push(Number(seq));
    else users.add(Number(key));
  }
  if (former.length > 0) {
    await db
      .deleteFrom('users')
      .where('seq', 'in', integersIn(JSON.stringify(former)))
      .execute();
  }
  return rows.length - former.length;
}
