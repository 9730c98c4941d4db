import { sql } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { Key } from '../model/key.ts';
import { restoredText } from '../model/storable-text.ts';
import { newPage, type SeenPage } from '../seen/head.ts';
import { SeenRow } from '../seen/seen-row.ts';
import { type SeenWrite, viewerHash } from '../seen/seen-store.ts';
import { mergedWrite } from '../seen/seen-write.ts';
import { PURGED_SEQ } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { metaNumber, metaText, removeMeta, setMetaNumber } from './meta.ts';
import type { Reading } from './reading.ts';
import { NO_ARM, unpackedKeys } from './rows.ts';
import { storedSecret } from './secrets.ts';
import { readSeen } from './seen.ts';

/** Pages that are read and written in one step. */
const STEP_PAGES = 10_000;
/** How often a row is read again because another process wrote it. */
const ATTEMPTS_MAX = 5;
/** Name of the key in `meta` of the last user whose pages are all in `seen`. */
const LAST_USER = 'seen_filled_user';
const NAMES_INDEX = 'names_of_users';
/** Bytes of a row besides its content: its key, its index entry, its numbers. */
const ROW_BYTES = 100;

export interface FillProgress {
  pages_done: number;
  /** Of those that were left at the start. */
  pages_total: number;
}

/** What `fillSeen` would do. */
export interface FillPlan {
  viewers: number;
  pages: number;
  items: number;
  /** Pages of erased users, which are left out. */
  erased_pages: number;
  /** Estimated from the first pages. */
  bytes: number;
}

interface RecordedPage {
  user: Key;
  page: SeenPage;
}

/**
 * Fills `seen` from the recorded pages in `impressions`, user by user, in steps.
 *
 * It may be interrupted at any time and continues with the first user who is not finished. Pages that were written
 * before are not written again. Rows that exist are kept and added to.
 */
export async function fillSeen(
  connection: Connection,
  onProgress: (progress: FillProgress) => void,
  step_pages = STEP_PAGES,
): Promise<void> {
  const { db } = connection;
  await sql`create index if not exists ${sql.ref(NAMES_INDEX)} on names (key) where space = 0`.execute(db);
  await sql`create index if not exists impressions_by_user on impressions (user_key, timestamp)`.execute(db);
  const key = await storedSecret(db, 'seen');
  const now = await lastPageTime(connection);
  const last_user = Number((await metaText(db, LAST_USER)) ?? -1);
  const pages_total = await countPages(connection, last_user);
  let pages_done = 0;
  for await (const pages of steps(connection, last_user, step_pages)) {
    const named = await namesOf(connection, new Set(pages.map(({ user }) => user)));
    const by_viewer = new Map<string, SeenPage[]>();
    for (const [user, of_user] of Map.groupBy(pages, (each) => each.user)) {
      const user_id = named.get(user);
      if (user_id !== undefined)
        by_viewer.set(
          viewerHash(key, user_id),
          of_user.map(({ page }) => page),
        );
    }
    await merge(connection, by_viewer, now);
    // More pages of the last user may follow.
    const finished = pages.findLast(({ user }) => user !== pages[pages.length - 1].user);
    if (finished !== undefined) await setMetaNumber(db, LAST_USER, finished.user);
    pages_done += pages.length;
    onProgress({ pages_done, pages_total });
  }
}

/** Removes what `fillSeen` needed to continue. */
export async function endFilling(db: Connection['db']): Promise<void> {
  await sql`drop index if exists ${sql.ref(NAMES_INDEX)}`.execute(db);
  await removeMeta(db, LAST_USER);
}

/** Reads what there is to do. Changes nothing. Data of any older version will do. */
export async function planOfFilling(connection: Connection): Promise<FillPlan> {
  const { db, values } = connection;
  const purged = await metaNumber(db, PURGED_SEQ);
  const query = sql`
    select known.key is not null, count(*), sum(pages), sum(items)
    from (
      select user_key, count(*) as pages, sum(octet_length(items)) / 4 as items from impressions group by user_key
    ) as shown
    left join (
      select key from names
      where space = 0 and key not in (select user_key from erasures where seq > ${purged})
    ) as known on known.key = shown.user_key
    group by known.key is not null`;
  const plan: FillPlan = { viewers: 0, pages: 0, items: 0, erased_pages: 0, bytes: 0 };
  for (const [is_known, viewers, pages, items] of await values(query.compile(db)))
    if (is_known)
      Object.assign(plan, { viewers: Number(viewers), pages: Number(pages), items: Number(items) });
    else plan.erased_pages = Number(pages);
  for await (const sample of steps(connection, -1, STEP_PAGES)) {
    plan.bytes = await sampledBytes(connection, sample, plan);
    break;
  }
  return plan;
}

/** The bytes of all rows, if their items take as much as those of some pages. */
async function sampledBytes(
  connection: Connection,
  sample: readonly RecordedPage[],
  { viewers, items }: FillPlan,
): Promise<number> {
  const now = await lastPageTime(connection);
  let bytes = 0;
  for (const of_user of Map.groupBy(sample, ({ user }) => user).values()) {
    const merged = mergedWrite(
      SeenRow.none(''),
      of_user.map(({ page }) => page),
      now,
    );
    for (const { content } of merged === undefined ? [] : [merged.write, ...merged.write.parts])
      bytes += content.length;
  }
  const sampled = sample.reduce((sum, { page }) => sum + page.keys.length, 0);
  return viewers * ROW_BYTES + Math.round((bytes * items) / Math.max(1, sampled));
}

/** The data's own time, so that the result does not depend on when it is upgraded. */
async function lastPageTime({ db, values }: Reading): Promise<number> {
  const query = sql`select applied_at from impressions order by seq desc limit 1`;
  const [[applied_at] = [0]] = await values(query.compile(db));
  return Number(applied_at);
}

async function countPages({ db, values }: Reading, after_user: Key): Promise<number> {
  const query = sql`select count(*) from impressions where user_key > ${after_user}`;
  const [[count]] = await values(query.compile(db));
  return Number(count);
}

/** All pages of the users after one of them, by user, then by time. Uses the index `impressions_by_user`. */
async function* steps({ db }: Reading, after_user: Key, step_pages: number): AsyncGenerator<RecordedPage[]> {
  let after: readonly number[] = [after_user, Number.MAX_VALUE, 0];
  for (;;) {
    const query = sql<ImpressionRow>`
      select * from impressions
      where (user_key, timestamp, seq) > (${sql.join(after)})
      order by user_key, timestamp, seq limit ${sql.lit(step_pages)}`;
    const { rows } = await query.execute(db);
    if (rows.length > 0) yield rows.map(recordedPage);
    if (rows.length < step_pages) return;
    const { user_key, timestamp, seq } = rows[rows.length - 1];
    after = [user_key, timestamp, Number(seq)];
  }
}

/** A row of `impressions`, without what is not read. Data before experiments has no `arm`. */
interface ImpressionRow {
  seq: number | string;
  user_key: Key;
  timestamp: number;
  items: Uint8Array;
  arm?: number;
}

function recordedPage({ user_key: user, timestamp: time, items, arm = NO_ARM }: ImpressionRow): RecordedPage {
  return { user, page: newPage({ time, page_id: 0, feed: 0, arm, keys: unpackedKeys(items) }) };
}

/** The names of users. Those who were erased have none. */
async function namesOf(
  { db, values, integersIn }: Reading,
  users: ReadonlySet<Key>,
): Promise<Map<Key, string>> {
  const given = integersIn(JSON.stringify([...users]));
  const erased = sql`select user_key from erasures where seq > ${await metaNumber(db, PURGED_SEQ)}`;
  const query = sql`select key, id from names where space = 0 and key in ${given} and key not in (${erased})`;
  const rows = await values(query.compile(db));
  return new Map(rows.map(([key, id]) => [Number(key), restoredText(id as string)]));
}

async function merge(
  connection: Connection,
  by_viewer: ReadonlyMap<string, SeenPage[]>,
  now: number,
): Promise<void> {
  const viewers = [...by_viewer.keys()].sort();
  for (let from = 0; from < viewers.length; from += LIMITS.seen_batch_max) {
    let left = viewers.slice(from, from + LIMITS.seen_batch_max);
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt === ATTEMPTS_MAX) throw new Error('other processes write rows of seen items meanwhile');
      const stored = await readSeen(
        connection,
        left.map((viewer) => ({ viewer, number: 0 })),
      );
      const rows = new Map(stored.map((each) => [each.viewer, SeenRow.from(each)]));
      const writes = left.flatMap((viewer) => {
        const row = rows.get(viewer) ?? SeenRow.none(viewer);
        return mergedWrite(row, by_viewer.get(viewer) ?? [], now)?.write ?? [];
      });
      const written = new Set(await write(connection, writes));
      left = writes.map(({ viewer }) => viewer).filter((viewer) => !written.has(viewer));
    }
  }
}

async function write(connection: Connection, writes: readonly SeenWrite[]): Promise<string[]> {
  if (writes.length === 0) return [];
  return connection.db.transaction().execute((transaction) => connection.writeSeen(transaction, writes));
}
