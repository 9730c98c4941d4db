import { type Key, NONE, type Space } from '../state/change.ts';
import { highestSeq } from './commit.ts';
import type { Connection } from './connection.ts';
import type { PurgeStep } from './messages.ts';
import { metaNumber, NEXT_KEY, setMetaNumber } from './meta.ts';
import { unpackedKeys } from './rows.ts';
import { latestTrend } from './trends.ts';

/** Steps of a purge, between which other work may be done; at `sweep` the caller runs `Connection.sweeper`. */
export type Steps<T = void> = AsyncGenerator<PurgeStep, T>;

/**
 * What a purge removed cannot go out of the files yet, as somebody may still read it. Nothing is lost: the next purge
 * begins anew.
 */
export class StillNeeded extends Error {}

/** What a purge runs on, and how many rows it looks at in a step. */
export interface Purging {
  connection: Connection;
  step_rows: number;
}

/** What a purge is to take out; found before anything is. */
export interface PurgeWork {
  /** Everything up to this `seq` that was erased or deleted is in here, unless it was purged before. */
  until: number;
  /** `seq` of the last of these erasures and deletions. */
  last_marker: number;
  /** Erased users, with the `seq` of the erasure. */
  users: Map<Key, number>;
  /** Their items, but for those that stay without them. */
  items: Set<Key>;
  /** Those that stay, by their former author. */
  released: Map<Key, Set<Key>>;
  /** Items of others that were deleted, with the `seq` of the last deletion. */
  deleted: Map<Key, number>;
  /** Authors that deletions have yet to be told, with the `seq` of those deletions. */
  authors: Map<Key, number[]>;
}

/** Runs `work` on one stretch of `seq` after another, the first ones first. */
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

/**
 * Takes rows of names out. The highest key may be among those whose last trace goes: the next free one is
 * written down with it.
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

/** A row that tells whose an item is. */
interface Claim {
  seq: number;
  item_key: Key;
  author_key: Key;
}

/** What was erased or deleted after `purged_seq`, oldest first; undefined when nothing was. */
export async function* collectWork(
  purging: Purging,
  purged_seq: number,
  markers_max: number,
): Steps<PurgeWork | undefined> {
  const { until, users, deleted } = await markers(purging.connection, purged_seq, markers_max);
  if (users.size + deleted.size === 0) return undefined;
  const last_marker = Math.max(...users.values(), ...deleted.values());
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
  return { until, last_marker, users, items, released, deleted, authors: untold(deleted, last, released) };
}

/** Tells items of erased users that go from those that were released. */
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
  const released_by = new Map(rows.map((row) => [row.user_key, new Set(unpackedKeys(row.items))]));
  const items = new Set<Key>();
  const released = new Map<Key, Set<Key>>();
  for (const [item, authors] of theirs) {
    const last = [...authors].filter(([, is_last]) => is_last).map(([user]) => user);
    if (last.some((user) => !released_by.get(user)?.has(item))) items.add(item);
    else for (const user of last) released.set(user, (released.get(user) ?? new Set()).add(item));
  }
  return { items, released };
}

/** Erasures and deletions that are to be worked off, at most `markers_max` of each at a time. */
async function markers(
  { db }: Connection,
  purged_seq: number,
  markers_max: number,
): Promise<Pick<PurgeWork, 'until' | 'users' | 'deleted'>> {
  // What was learnt is stored up to here; rows after that are still to be learnt from.
  let until = (await latestTrend(db)) || (await highestSeq(db));
  const erasures = await db
    .selectFrom('erasures')
    .select(['seq', 'user_key as key'])
    .where('seq', '>', purged_seq)
    .where('seq', '<=', until)
    .orderBy('seq')
    .limit(markers_max)
    .execute();
  const deletions = await db
    .selectFrom('deletions')
    .select(['seq', 'item_key as key'])
    .where('seq', '>', purged_seq)
    .where('seq', '<=', until)
    .orderBy('seq')
    .limit(markers_max)
    .execute();
  for (const rows of [erasures, deletions]) {
    if (rows.length === markers_max) until = Math.min(until, Number(rows[rows.length - 1].seq));
  }
  const upTo = (rows: { seq: number; key: Key }[]): Map<Key, number> =>
    new Map(rows.map(({ seq, key }) => [key, Number(seq)] as const).filter(([, seq]) => seq <= until));
  return { until, users: upTo(erasures), deleted: upTo(deletions) };
}

/** Items that named one of these users as their author before the erasure: item → user → not known yet. */
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
 * Versions and deletions of a stretch that name certain items or authors, in order of `seq`. A deletion that
 * does not know its author says nothing, a version without one says that there is none.
 */
async function claims(
  { db, integersIn }: Connection,
  column: 'item_key' | 'author_key',
  list: string,
  after: number,
  until: number,
): Promise<Claim[]> {
  const versions = db
    .selectFrom('items')
    .select(['seq', 'item_key', 'author_key'])
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .where(column, 'in', integersIn(list));
  const deletions = db
    .selectFrom('deletions')
    .select(['seq', 'item_key', 'author_key'])
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .where('author_key', '!=', NONE)
    .where(column, 'in', integersIn(list));
  const rows = [...(await versions.execute()), ...(await deletions.execute())];
  return rows.map((row) => ({ ...row, seq: Number(row.seq) })).sort((one, other) => one.seq - other.seq);
}

/** The last known author of each deleted item, where its deletion does not say so itself. */
function untold(
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
