import { sql } from 'kysely';
import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE, SPACES } from '../model/key.ts';
import { PURGED_SEQ, strikeOutBefore, UNSWEPT_SEQ } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { removeDeletedActs } from './purge-acts.ts';
import {
  blankViewers,
  dropFormer,
  purgeArmsSteps,
  purgeEventsSteps,
  purgeShownSteps,
} from './purge-former.ts';
import { purgeVersionsSteps } from './purge-versions.ts';
import {
  collectWork,
  dropNames,
  inStretches,
  type PurgeWork,
  type Purging,
  removeRows,
  removeSeqs,
  type Steps,
  StillNeeded,
} from './purge-work.ts';
import { TABLES_OF_SUBJECTS } from './tables.ts';

/**
 * Removes the rows that erasures and deletions left in the tables.
 *
 * There are no secondary indexes, so it reads whole tables, one range of `seq` at a time. Between two steps the writer
 * stores new changes.
 *
 * A crash may follow any step, so a replay must give the same state at all times. Names go first, those of items before
 * those of authors, because rows about a key without a name mean nothing. Rows that link items to authors go last, in
 * order of `seq`, so that the next purge finds the items again. Keys of erased users and their items are never reused,
 * so all their rows go, whatever their `seq`. The erasure itself stays as a marker with a key that has no name.
 */

/** How often to try to empty the write-ahead log of SQLite while it has readers. */
const SWEEPS_MAX = 20;
/** Seconds between attempts while a server has readers. Standbys report every ten seconds what they need. */
const CONCURRENT_SWEEP_SECONDS = 0.5;
const CONCURRENT_SWEEPS_MAX = 40;
/** An `ItemContent` without content. */
const EMPTY_CONTENT = JSON.stringify({ created_at: 0 });
/** Deletions that get their authors in one step. */
const AUTHORS_PER_STEP = 100;

/**
 * Purges in steps.
 *
 * No steps if nothing was erased or deleted since the last purge, few profiles were stored again, no removal of an
 * event expired, no experiment changed, and no counts of shown pages were stored.
 * @throws StillNeeded if a reader was active all the time
 */
export async function* purgeSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
  markers_max: number = LIMITS.purge_markers_max,
): Steps {
  const purging = { connection, step_rows };
  await dropFormer(connection.db);
  yield* purgeVersionsSteps(connection, step_rows);
  yield* purgeEventsSteps(purging);
  yield* purgeArmsSteps(connection.db);
  yield* purgeShownSteps(purging);
  for (;;) {
    const after = await metaNumber(connection.db, PURGED_SEQ);
    const work = yield* collectWork(purging, after, markers_max);
    if (work === undefined) {
      yield* sweepAgain(connection, after);
      return;
    }
    // This checkpoint contains purged data. Once the rows after it lose their authors, it could not be replayed.
    await strikeOutBefore(connection.db, work.last_marker);
    yield* nameAuthors(purging, work);
    yield* removeAuthors(purging, work);
    yield* removeNames(purging, work);
    if (work.users.size > 0) yield* removeActions(purging, work);
    await blankViewers(purging, work.viewers);
    yield* removeDeletedActs(purging, work.acts);
    yield* removeSuperseded(purging, work);
    // Without the deletions of acts, the next purge does not see that it has to sweep, nor a follower what it missed.
    await setMetaNumber(connection.db, UNSWEPT_SEQ, work.until);
    await removeSeqs(
      connection,
      'act_deletions',
      work.acts.map(({ seq }) => seq),
    );
    yield* sweep(connection);
    await setMetaNumber(connection.db, PURGED_SEQ, work.until);
    yield 'step';
  }
}

/** Runs all steps at once. Not allowed while the writer runs, because the purge is then part of its work. */
export async function purge(connection: Connection, timers: Timers): Promise<void> {
  for await (const step of purgeSteps(connection))
    if (step === 'sweep') await sweepConcurrently(connection, timers);
}

/**
 * Sweeps through a connection that does not block the writer.
 * @param ending after its abort there is one more attempt without waiting
 * @throws StillNeeded if a reader was active all the time
 */
export async function sweepConcurrently(
  connection: Connection,
  timers: Timers,
  ending?: AbortSignal,
): Promise<void> {
  const sweep = connection.sweeper();
  for (let tries = 1; !(await sweep()); tries++) {
    if (tries === CONCURRENT_SWEEPS_MAX || ending?.aborted) {
      throw new StillNeeded('a reader, prepared transaction or replication slot still needs the purged rows');
    }
    await pause(timers, ending);
  }
}

function pause(timers: Timers, ending: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(CONCURRENT_SWEEP_SECONDS, end);
    function end(): void {
      cancel();
      ending?.removeEventListener('abort', end);
      resolve();
    }
    ending?.addEventListener('abort', end);
  });
}

/** Adds the author to deletions whose versions will be removed, because the author may be erased later. */
async function* nameAuthors({ connection }: Purging, { authors }: PurgeWork): Steps {
  const { db, integersIn } = connection;
  let named = 0;
  for (const [author_key, seqs] of authors) {
    await db
      .updateTable('deletions')
      .set({ author_key })
      .where('seq', 'in', integersIn(JSON.stringify(seqs)))
      .execute();
    if (++named % AUTHORS_PER_STEP === 0) yield 'step';
  }
}

/** Removes the former author from versions and deletions of items that stay. */
async function* removeAuthors(purging: Purging, { released }: PurgeWork): Steps {
  const { db, integersIn } = purging.connection;
  for (const [author_key, items] of released) {
    const list = JSON.stringify([...items]);
    yield* inStretches(purging, async (after, until) => {
      for (const table of ['items', 'deletions'] as const) {
        await db
          .updateTable(table)
          .set({ author_key: NONE })
          .where('seq', '>', after)
          .where('seq', '<=', until)
          .where('author_key', '=', author_key)
          .where('item_key', 'in', integersIn(list))
          .execute();
      }
    });
  }
}

async function* removeNames(purging: Purging, { users, items }: PurgeWork): Steps {
  const { connection } = purging;
  const { db, integersIn } = connection;
  for (const [space, code, keys] of [['item', 1, items] as const, ['user', 0, users.keys()] as const]) {
    const list = JSON.stringify([...keys]);
    if (list === '[]') continue;
    yield* inStretches(purging, async (after, until) => {
      const named = await db
        .selectFrom('names')
        .select(['seq', 'key'])
        .where('seq', '>', after)
        .where('seq', '<=', until)
        .where('space', '=', code)
        .where('key', 'in', integersIn(list))
        .execute();
      await dropNames(connection, space, named);
    });
  }
}

/** Tables about users, of which a row names at least one. */
const ABOUT_USERS = TABLES_OF_SUBJECTS.filter(({ columns }) => columns.user.length > 0);
/** Tables about an item that is no act of a user. */
const ABOUT_ITEMS = TABLES_OF_SUBJECTS.filter(({ is_about_content }) => is_about_content);

/** Removes the actions of erased users, and the actions of others on them and their items. */
async function* removeActions(purging: Purging, work: PurgeWork): Steps {
  const { db, integersIn } = purging.connection;
  const erased = {
    user: integersIn(JSON.stringify([...work.users.keys()])),
    item: integersIn(JSON.stringify([...work.items])),
  };
  yield* inStretches(purging, async (after, until) => {
    for (const { table, columns } of ABOUT_USERS) {
      const isGone = SPACES.flatMap((space) =>
        columns[space].map((column) => sql`${sql.ref(column)} in ${erased[space]}`),
      );
      await sql`delete from ${sql.table(table)}
        where seq > ${after} and seq <= ${until} and (${sql.join(isGone, sql` or `)})`.execute(db);
    }
    // Rows of the erased user about items that now belong to others keep the row, as it ends a deletion, but lose the
    // content.
    await db
      .updateTable('items')
      .set({ content: EMPTY_CONTENT })
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where('author_key', 'in', erased.user)
      .where('item_key', 'not in', erased.item)
      .execute();
  });
}

/** Removes all rows about items of erased users, and rows about deleted items that precede the deletion. */
async function* removeSuperseded(purging: Purging, { items, deleted }: PurgeWork): Steps {
  const keys = new Set<Key>([...items, ...deleted.keys()]);
  if (keys.size === 0) return;
  const list = purging.connection.integersIn(JSON.stringify([...keys]));
  for (const { table, columns } of ABOUT_ITEMS) {
    const [column] = columns.item;
    const examined = { table, columns: [column], condition: sql`${sql.ref(column)} in ${list}` };
    yield* removeRows(purging, examined, (seq, item) => items.has(item) || seq < (deleted.get(item) ?? 0));
  }
}

/** Sweeps if the last purge could not, and left no row that tells so. */
async function* sweepAgain(connection: Connection, purged_seq: number): Steps {
  const unswept_seq = await metaNumber(connection.db, UNSWEPT_SEQ);
  if (unswept_seq <= purged_seq) return;
  yield* sweep(connection);
  await setMetaNumber(connection.db, PURGED_SEQ, unswept_seq);
  yield 'step';
}

async function* sweep(connection: Connection): Steps {
  if (connection.sweeps_concurrently) {
    yield 'sweep';
    return;
  }
  const sweep = connection.sweeper();
  for (let tries = 0; tries < SWEEPS_MAX; tries++) {
    if (await sweep()) return;
    yield 'step';
  }
  throw new StillNeeded('the write-ahead log is in use and could not be emptied');
}
