import { sql } from 'kysely';
import { BitSet } from '../bit-set.ts';
import { LIMITS } from '../limits.ts';
import { CHANGES, type Kind } from '../model/change.ts';
import { type ChangeDefinition, columnOf } from '../model/define-change.ts';
import { checkpointEntry } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { learntUntil } from './latest.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { removeSeqs, type Steps } from './purge-work.ts';
import type { ChangeTableName } from './tables.ts';

/**
 * Purges former versions of profiles, and of other changes of which only the latest counts.
 *
 * A version is complete, so replaying only the latest one gives the same state. Without this purge, a profile that is
 * sent every day would fill the disk. The latest version in the checkpoint and all later ones stay, because a running
 * export may look for an earlier one.
 */

/** A table with versions, and the column that names whom they are versions of. */
interface Versions {
  kind: Kind;
  table: ChangeTableName;
  column: string;
}

export const VERSIONS: readonly Versions[] = CHANGES.flatMap((change) => {
  const { latest_per, members }: ChangeDefinition = change;
  if (latest_per === undefined) return [];
  return { kind: change.kind, table: change.table, column: columnOf(latest_per, members[latest_per]) };
});

/** The purge reads a whole table, so it needs at least this many new rows, … */
export const VERSIONS_WORTH_A_PURGE = 1_000;
/** … and at least this share of the kept rows. */
const ADDED_SHARE = 1 / 4;

/**
 * Removes the former versions in steps. No steps if few rows were added since the last purge.
 * @param least_added minimum number of new rows
 */
export async function* purgeVersionsSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
  least_added = VERSIONS_WORTH_A_PURGE,
): Steps {
  const { db } = connection;
  const entry = await checkpointEntry(db);
  if (entry === undefined) return;
  const until = Math.min(entry.seq, await learntUntil(db));
  for (const versions of VERSIONS) {
    // There are no former versions up to the first; the last purge kept the second.
    const [seq_name, kept_name] = [`former_${versions.table}_seq`, `kept_${versions.table}`];
    const kept = await metaNumber(db, kept_name);
    const added = await rowsBetween(connection, versions, await metaNumber(db, seq_name), until);
    if (added < Math.max(least_added, ADDED_SHARE * kept)) continue;
    const later = new BitSet();
    let left = 0;
    for (let last = until; last > 0; last -= step_rows) {
      left += await dropFormer(connection, versions, last - step_rows, last, later);
      yield 'step';
    }
    await setMetaNumber(db, kept_name, left);
    await setMetaNumber(db, seq_name, until);
  }
}

async function rowsBetween(
  { db }: Connection,
  { table }: Versions,
  after: number,
  until: number,
): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('rows'))
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/**
 * Removes the rows of a range of which there are later versions, and adds the keys of the others to the set.
 * @param later keys with later versions
 * @returns the number of rows that stay
 */
async function dropFormer(
  connection: Connection,
  { table, column }: Versions,
  after: number,
  until: number,
  later: BitSet,
): Promise<number> {
  const { db, values } = connection;
  const query = sql`select seq, ${sql.ref(column)} from ${sql.table(table)}
    where seq > ${after} and seq <= ${until} order by seq desc`;
  const former: number[] = [];
  const rows = await values(query.compile(db));
  for (const [seq, key] of rows) {
    if (later.has(Number(key))) former.push(Number(seq));
    else later.add(Number(key));
  }
  await removeSeqs(connection, table, former);
  return rows.length - former.length;
}
