import { type RawBuilder, sql } from 'kysely';
import type { ActDeletionChange } from '../model/changes/act-deletion.ts';
import type { Stamp } from '../model/define-change.ts';
import { type Key, NONE, type Space } from '../model/key.ts';
import type { Connection } from './connection.ts';
import { learntUntil } from './latest.ts';
import { highestSeq, metaNumber, NEXT_KEY, setMetaNumber } from './meta.ts';
import { readChanges } from './read-changes.ts';
import { requireRising } from './row-order.ts';
import { unpackedKeys } from './rows.ts';
import { type ChangeTableName, TABLE_OF } from './tables.ts';

/** The next step of a purge: remove rows, or free their bytes. */
export type PurgeStep = 'step' | 'sweep';

/** Steps of a purge. Other work may run between them. At `sweep` the caller runs `Connection.sweeper`. */
export type Steps<T = void> = AsyncGenerator<PurgeStep, T>;

/** Purged bytes cannot be freed, because a reader still needs them. The next purge tries again. */
export class StillNeeded extends Error {}

/** The connection of a purge, and the number of rows per step. */
export interface Purging {
  connection: Connection;
  step_rows: number;
}

/** The rows that a purge will remove, collected before it removes any. */
export interface PurgeWork {
  /** All erasures and deletions up to this `seq` are included, or were purged before. */
  until: number;
  /** `seq` of the last of these erasures and deletions. */
  last_marker: number;
  /** Erased users, with the `seq` of the erasure. */
  users: Map<Key, number>;
  /** Rows of seen items of erased persons, of whom some had no user record, with the `seq` of the erasure. */
  viewers: Map<string, number>;
  /** Items of the erased users, except released ones. */
  items: Set<Key>;
  /** Released items, by their former author. */
  released: Map<Key, Set<Key>>;
  /** Deleted items of other users, with the `seq` of the last deletion. */
  deleted: Map<Key, number>;
  acts: ActDeletionChange[];
  /** Authors to add to deletions, with the `seq` of those deletions. */
  authors: Map<Key, number[]>;
}

/** Runs `work` on consecutive ranges of `seq`. */
export async function* inStretches(
  { connection, step_rows }: Purging,
  work: (after: number, until: number) => Promise<void>,
): Steps {
  const highest = await highestSeq(connection.db);
  for (let after = 0; after < highest; after += step_rows) {
    await work(after, after + step_rows);
    yield 'step';
  }
}

/** Rows of a table, and the columns by which it is decided which of them are removed. */
interface Examined {
  table: ChangeTableName;
  columns: readonly string[];
  /** Default: all rows. */
  condition?: RawBuilder<unknown>;
  /** Default: the highest `seq`. */
  until?: number;
}

/** Removes the rows that `isGone` finds by their `seq` and columns. It reads the whole table. */
export async function* removeRows(
  purging: Purging,
  { table, columns, condition = sql`true`, until: last = Number.POSITIVE_INFINITY }: Examined,
  isGone: (seq: number, ...values: number[]) => boolean,
): Steps {
  const { db, values } = purging.connection;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  yield* inStretches(purging, async (after, until) => {
    const query = sql`select seq, ${names} from ${sql.table(table)}
      where seq > ${after} and seq <= ${Math.min(until, last)} and ${condition}`;
    const rows = (await values(query.compile(db))).map((row) => row.map(Number) as [number, ...number[]]);
    const gone = rows.filter((row) => isGone(...row)).map(([seq]) => seq);
    await removeSeqs(purging.connection, table, gone);
  });
}

/**
 * The rows of a table from the oldest on, as far as they were stored before a time, a slice at a time: `seq`, then the
 * columns. The caller may remove them.
 */
export async function* oldRows(
  { connection: { db, values }, step_rows }: Purging,
  {
    table,
    columns,
    after = 0,
    until = Number.MAX_SAFE_INTEGER,
  }: Omit<Examined, 'condition'> & { after?: number },
  cutoff: number,
): AsyncGenerator<[seq: number, ...values: number[]][], void> {
  const names = sql.join(['seq', ...columns, 'applied_at'].map((column) => sql.ref(column)));
  for (let last = after; ; ) {
    const query = sql`select ${names} from ${sql.table(table)}
      where seq > ${last} and seq <= ${until} order by seq limit ${sql.lit(step_rows)}`;
    const rows = (await values(query.compile(db))).map((row) => row.map(Number) as [number, ...number[]]);
    requireRising(
      table,
      rows.map(([seq]) => seq),
      last,
    );
    const old = rows.filter((row) => row[row.length - 1] < cutoff);
    if (old.length === 0) return;
    [last] = old[old.length - 1];
    yield old;
  }
}

export async function removeSeqs(
  { db, integersIn }: Connection,
  table: ChangeTableName,
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length === 0) return;
  await sql`delete from ${sql.table(table)} where seq in ${integersIn(JSON.stringify(seqs))}`.execute(db);
}

/**
 * Removes rows of names.
 *
 * The highest key may lose its last row, so the next free key is stored as well.
 */
export async function dropNames(
  connection: Connection,
  space: Space,
  named: readonly { seq: number; key: Key }[],
): Promise<void> {
  if (named.length === 0) return;
  const next = named.reduce((highest, { key }) => Math.max(highest, key + 1), 0);
  await connection.db.transaction().execute(async (transaction) => {
    await connection.lockWrites(transaction);
    const known = await metaNumber(transaction, NEXT_KEY[space]);
    await setMetaNumber(transaction, NEXT_KEY[space], Math.max(next, known));
    const seqs = JSON.stringify(named.map(({ seq }) => Number(seq)));
    await transaction.deleteFrom('names').where('seq', 'in', connection.integersIn(seqs)).execute();
  });
}

/** A row that states the author of an item. */
interface Claim {
  seq: number;
  item_key: Key;
  author_key: Key;
}

/** Collects the erasures and deletions after `purged_seq`, oldest first. Undefined if there are none. */
export async function* collectWork(
  purging: Purging,
  purged_seq: number,
  markers_max: number,
): Steps<PurgeWork | undefined> {
  const found = await markers(purging.connection, purged_seq, markers_max);
  const { until, users, viewers, deleted, acts } = found;
  if (users.size + viewers.size + deleted.size + acts.length === 0) return undefined;
  const last_marker = Math.max(...users.values(), ...deleted.values(), ...acts.map(({ seq }) => seq));
  const theirs = yield* everAuthored(purging, users);
  const last = new Map<Key, Claim>();
  const watched = [...new Set([...theirs.keys(), ...deleted.keys()])];
  if (watched.length > 0) {
    const list = JSON.stringify(watched);
    yield* inStretches(purging, async (after, end) => {
      for (const claim of await claims(purging.connection, 'item_key', list, after, end)) {
        const { item_key, author_key, seq } = claim;
        if (seq <= (deleted.get(item_key) ?? 0)) last.set(item_key, claim);
        const authors = theirs.get(item_key);
        for (const user of authors?.keys() ?? []) {
          if (seq < (users.get(user) ?? 0)) authors?.set(user, author_key === user);
        }
      }
    });
  }
  const { items, released } = await shared(purging.connection, theirs, users);
  for (const item of items) deleted.delete(item);
  return {
    until,
    last_marker,
    users,
    viewers,
    items,
    released,
    deleted,
    acts,
    authors: missingAuthors(deleted, last, released),
  };
}

/** Separates the items of erased users into removed and released ones. */
async function shared(
  { db, integersIn }: Connection,
  theirs: ReadonlyMap<Key, ReadonlyMap<Key, boolean>>,
  users: ReadonlyMap<Key, number>,
): Promise<Pick<PurgeWork, 'items' | 'released'>> {
  const rows = await db
    .selectFrom('releases')
    .select(['user_key', 'items'])
    .where('user_key', 'in', integersIn(JSON.stringify([...users.keys()])))
    .execute();
  const released_by = new Map<Key, Set<Key>>();
  for (const { user_key, items } of rows)
    released_by.set(user_key, new Set([...(released_by.get(user_key) ?? []), ...unpackedKeys(items)]));
  const items = new Set<Key>();
  const released = new Map<Key, Set<Key>>();
  for (const [item, authors] of theirs) {
    const last = [...authors].filter(([, is_last]) => is_last).map(([user]) => user);
    if (last.some((user) => !released_by.get(user)?.has(item))) items.add(item);
    else for (const user of last) released.set(user, (released.get(user) ?? new Set()).add(item));
  }
  return { items, released };
}

/**
 * The next erasures and deletions to purge, at most `markers_max` of each.
 *
 * A purge removes deletions of acts, so those that are stored are not purged yet.
 */
async function markers(
  connection: Connection,
  purged_seq: number,
  markers_max: number,
): Promise<Pick<PurgeWork, 'until' | 'users' | 'viewers' | 'deleted' | 'acts'>> {
  let until = await learntUntil(connection.db);
  const read = async <K extends 'erasure' | 'deletion' | 'act_deletion'>(kind: K, after: number) => {
    const condition = sql`seq > ${after} and seq <= ${until}`;
    const changes = await readChanges(connection, kind, condition, { most: markers_max });
    const seqs = changes.map(({ seq }: Stamp) => seq);
    requireRising(TABLE_OF[kind].table, seqs, after);
    if (seqs.length === markers_max) until = seqs[seqs.length - 1];
    return changes;
  };
  const erasures = await read('erasure', purged_seq);
  const deletions = await read('deletion', purged_seq);
  // Acts that were deleted before the last purge may still be stored.
  const act_deletions = await read('act_deletion', 0);
  const isDue = ({ seq }: Stamp) => seq <= until;
  const erased = erasures.filter(isDue);
  return {
    until,
    users: new Map(erased.filter(({ user }) => user !== NONE).map(({ user, seq }) => [user, seq])),
    viewers: new Map(erased.map(({ viewer, seq }) => [viewer, seq])),
    deleted: new Map(deletions.filter(isDue).map(({ item, seq }) => [item, seq])),
    acts: act_deletions.filter(isDue),
  };
}

/** All items that ever had one of these users as author before the erasure: item → user. */
async function* everAuthored(
  purging: Purging,
  users: ReadonlyMap<Key, number>,
): Steps<Map<Key, Map<Key, boolean>>> {
  const found = new Map<Key, Map<Key, boolean>>();
  if (users.size === 0) return found;
  const list = JSON.stringify([...users.keys()]);
  yield* inStretches(purging, async (after, until) => {
    for (const { item_key, author_key } of await claims(
      purging.connection,
      'author_key',
      list,
      after,
      until,
    )) {
      const authors = found.get(item_key) ?? new Map<Key, boolean>();
      found.set(item_key, authors.set(author_key, false));
    }
  });
  return found;
}

/**
 * The rows of a range that state an author of certain items or by certain authors, in order of `seq`.
 *
 * A deletion without an author says nothing. A version without one says that the item has no author.
 */
async function claims(
  { db, integersIn }: Connection,
  column: 'item_key' | 'author_key',
  list: string,
  after: number,
  until: number,
): Promise<Claim[]> {
  const rows: Claim[] = [];
  for (const table of ['items', 'deletions'] as const) {
    const found = await db
      .selectFrom(table)
      .select(['seq', 'item_key', 'author_key'])
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where(column, 'in', integersIn(list))
      .execute();
    for (const row of found)
      if (table === 'items' || row.author_key !== NONE) rows.push({ ...row, seq: Number(row.seq) });
  }
  return rows.sort((one, other) => one.seq - other.seq);
}

/** The last known author of each deleted item whose deletion does not name one. */
function missingAuthors(
  deleted: ReadonlyMap<Key, number>,
  last: ReadonlyMap<Key, Claim>,
  released: PurgeWork['released'],
): Map<Key, number[]> {
  const authors = new Map<Key, number[]>();
  for (const [item, seq] of deleted) {
    const claim = last.get(item);
    if (claim === undefined || claim.seq === seq || claim.author_key === NONE) continue;
    if (released.get(claim.author_key)?.has(item)) continue;
    authors.set(claim.author_key, [...(authors.get(claim.author_key) ?? []), seq]);
  }
  return authors;
}
