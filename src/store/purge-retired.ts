import { type Kysely, sql } from 'kysely';
import { BitSet } from '../bit-set.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE } from '../state/change.ts';
import { checkpointEntry } from './checkpoint-book.ts';
import { highestSeq } from './commit.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { dropNames, inStretches, type Purging, type Steps } from './purge-work.ts';
import { unpackedKeys } from './rows.ts';
import type { ChangeTableName, Tables, Value } from './tables.ts';
import { dropFormerTrends, latestTrend } from './trends.ts';

/**
 * Takes out what items that were retired have left in the tables: their names first, and then every row about
 * an item without a name. What is left after a crash means nothing, and is found by the next purge.
 * Impressions go when none of their items has a name any more.
 *
 * The retirements themselves stay as long as there is a checkpoint that does not hold them: it knows the
 * items still. No checkpoint is struck out, as what was retired is nobody's secret.
 */

/** Everything that was retired up to this `seq` has been taken out. */
const RETIRED_SEQ = 'retired_seq';

/** Tables of rows about one item at most; those that tell whose an item was come last. */
const OF_ONE_ITEM = ['interactions', 'event_ids', 'engagement', 'deletions', 'items'] as const;

/** Whether anything was retired that a purge might have to do with. */
export async function hasRetired(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('retirements').select('seq').limit(1).executeTakeFirst()) !== undefined;
}

/** `seq` of the last retirement whose row is there; 0 without one. */
export async function latestRetirement(db: Kysely<Tables>): Promise<number> {
  const { seq } = await db
    .selectFrom('retirements')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow();
  return Number(seq ?? 0);
}

/** Steps until nothing is left to be taken out; none when nothing was retired since the last time. */
export async function* purgeRetiredSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
): Steps {
  const { db } = connection;
  const purging = { connection, step_rows };
  await dropFormerTrends(db);
  await dropMarkers(connection);
  // What was learnt is stored up to here; rows after that are still to be learnt from.
  const until = (await latestTrend(db)) || (await highestSeq(db));
  const retired = await keysRetired(connection, await metaNumber(db, RETIRED_SEQ), until);
  if (retired === undefined) return;
  // Of later rows the names may not have been seen.
  const seen = await highestSeq(db);
  const named = yield* removeNames(purging, retired);
  for (const table of OF_ONE_ITEM) {
    yield* removeRows(
      purging,
      table,
      'item_key',
      seen,
      (item) => Number(item) !== NONE && !named.has(Number(item)),
    );
  }
  yield* removeRows(purging, 'impressions', 'items', seen, (items) =>
    unpackedKeys(items).every((item) => !named.has(item)),
  );
  await setMetaNumber(db, RETIRED_SEQ, until);
  await dropMarkers(connection);
  yield 'step';
}

/** The items of some retirements; undefined when there are none. */
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

/** Takes out the names of items that were retired, and returns the items whose names stay. */
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

/** Takes out the rows of a table up to `seen` whose column says that nobody needs them. */
async function* removeRows(
  purging: Purging,
  table: ChangeTableName,
  column: string,
  seen: number,
  isGone: (value: Value) => boolean,
): Steps {
  const { db, values, integersIn } = purging.connection;
  yield* inStretches(purging, async (after, until) => {
    const query = sql`select seq, ${sql.ref(column)} from ${sql.table(table)}
      where seq > ${after} and seq <= ${Math.min(until, seen)}`;
    const gone: number[] = [];
    for (const [seq, value] of await values(query.compile(db))) if (isGone(value)) gone.push(Number(seq));
    if (gone.length === 0) return;
    await db
      .deleteFrom(table)
      .where('seq', 'in', integersIn(JSON.stringify(gone)))
      .execute();
  });
}

/** Retirements that have been worked off and that no checkpoint waits for. */
async function dropMarkers({ db }: Connection): Promise<void> {
  const worked_off = await metaNumber(db, RETIRED_SEQ);
  const entry = await checkpointEntry(db);
  const until = Math.min(worked_off, entry?.seq ?? worked_off);
  await db.deleteFrom('retirements').where('seq', '<=', until).execute();
}
