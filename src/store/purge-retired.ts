import { type Kysely, sql } from 'kysely';
import { BitSet } from '../bit-set.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE } from '../model/key.ts';
import { checkpointEntry } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { learntUntil } from './latest.ts';
import { highestSeq, metaNumber, setMetaNumber } from './meta.ts';
import { dropFormerTrends } from './purge-former.ts';
import { dropNames, inStretches, type Purging, removeRows, type Steps } from './purge-work.ts';
import { unpackedKeys } from './rows.ts';
import { TABLES_OF_SUBJECTS, type Tables } from './tables.ts';

/**
 * Purges the rows of retired items.
 *
 * Names go first, then every row about an item without a name. After a crash the remaining rows mean nothing, and the
 * next purge finds them.
 *
 * The retirements stay until the checkpoint contains them, because an older checkpoint still has the items. The
 * checkpoint is kept, since retired data is not secret.
 */

/** Retirements up to this `seq` have been purged. */
export const RETIRED_SEQ = 'retired_seq';

export async function hasRetired(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('retirements').select('seq').limit(1).executeTakeFirst()) !== undefined;
}

/** Removes the rows in steps. No steps if nothing was retired since the last purge. */
export async function* purgeRetiredSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
): Steps {
  const { db } = connection;
  const purging = { connection, step_rows };
  await dropFormerTrends(db);
  await dropMarkers(connection);
  const until = await learntUntil(db);
  const retired = await keysRetired(connection, await metaNumber(db, RETIRED_SEQ), until);
  if (retired === undefined) return;
  // The names of later rows may not have been read.
  const seen = await highestSeq(db);
  const named = yield* removeNames(purging, retired);
  // Deletions of acts stay: the purge of deleted data also frees the bytes of the acts, and finds by these rows that it
  // has to.
  for (const { table, columns } of TABLES_OF_SUBJECTS)
    for (const column of columns.item)
      yield* removeRows(
        purging,
        { table, columns: [column], until: seen },
        (_, item) => item !== NONE && !named.has(item),
      );
  await setMetaNumber(db, RETIRED_SEQ, until);
  await dropMarkers(connection);
  yield 'step';
}

/** The items of the retirements in a range; undefined if there are none. */
async function keysRetired(
  { db, values }: Connection,
  after: number,
  until: number,
): Promise<BitSet | undefined> {
  const query = sql`select items from retirements where seq > ${after} and seq <= ${until}`;
  const rows = await values(query.compile(db));
  if (rows.length === 0) return undefined;
  const keys = new BitSet();
  for (const [items] of rows) for (const key of unpackedKeys(items)) keys.add(key);
  return keys;
}

/** Removes the names of retired items, and returns the items that keep their names. */
async function* removeNames(purging: Purging, retired: BitSet): Steps<BitSet> {
  const { connection } = purging;
  const named = new BitSet();
  yield* inStretches(purging, async (after, until) => {
    const query = sql`select seq, key from names where seq > ${after} and seq <= ${until} and space = 1`;
    const gone: { seq: number; key: Key }[] = [];
    for (const [seq, key] of await connection.values(query.compile(connection.db))) {
      if (retired.has(Number(key))) gone.push({ seq: Number(seq), key: Number(key) });
      else named.add(Number(key));
    }
    await dropNames(connection, 'item', gone);
  });
  return named;
}

/** Removes purged retirements that are older than the checkpoint. */
async function dropMarkers({ db }: Connection): Promise<void> {
  const purged_until = await metaNumber(db, RETIRED_SEQ);
  const entry = await checkpointEntry(db);
  const until = Math.min(purged_until, entry?.seq ?? purged_until);
  await db.deleteFrom('retirements').where('seq', '<=', until).execute();
}
