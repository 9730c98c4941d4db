import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE } from '../state/change.ts';
import { PURGED_SEQ, strikeOutBefore } from './checkpoint-book.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { purgeEventsSteps } from './purge-events.ts';
import { purgeProfilesSteps } from './purge-profiles.ts';
import {
  collectWork,
  dropNames,
  inStretches,
  type PurgeWork,
  type Purging,
  type Steps,
  StillNeeded,
} from './purge-work.ts';
import { dropOldTombstones } from './tombstones.ts';
import { dropFormerTrends } from './trends.ts';

/**
 * Takes out for good what erasures and deletions have left in the tables. There is no secondary index, so
 * whole tables are read, a stretch of `seq` at a time: between two steps the writer stores what has arrived.
 *
 * A crash may come after any step, so the fold over what is there must be the same at all times. Names go
 * first, those of items before their authors': what names a key without a name means nothing. What tells
 * whose an item was goes last and in order of `seq`, so that the next purge finds it. Keys of an erased user
 * and of their items are never given again, so all their rows go, whatever their `seq`. The erasure itself
 * stays as a marker: it holds a number whose name is gone.
 */

/** How often to try to empty the log of the embedded database while somebody reads from it. */
const SWEEPS_MAX = 20;
/**
 * How often and how long to wait for those who read from a server, unless the process is to end. Standbys tell every ten
 * seconds what they need.
 */
const APART_SWEEP_SECONDS = 0.5;
const APART_SWEEPS_MAX = 40;
/** An `ItemContent` that says nothing. */
const EMPTY_CONTENT = JSON.stringify({ created_at: 0 });
/** Deletions that learn their authors in one step. */
const AUTHORS_PER_STEP = 100;

/**
 * Steps until nothing is left to be purged; none when nothing was erased or deleted since the last time, nor many profiles
 * stored again, and no removal of an event has become too old.
 * @throws StillNeeded when somebody was reading all the while
 */
export async function* purgeSteps(
  connection: Connection,
  step_rows: number = LIMITS.purge_step_rows,
  markers_max: number = LIMITS.purge_markers_max,
): Steps {
  const purging = { connection, step_rows };
  await dropFormerTrends(connection.db);
  await dropOldTombstones(connection.db);
  yield* purgeProfilesSteps(connection, step_rows);
  yield* purgeEventsSteps(connection, step_rows);
  for (;;) {
    const after = await metaNumber(connection.db, PURGED_SEQ);
    const work = yield* collectWork(purging, after, markers_max);
    if (work === undefined) return;
    // It holds what is purged, and its tail is about to lose what tells whose that was.
    await strikeOutBefore(connection.db, work.last_marker);
    yield* nameAuthors(purging, work);
    yield* removeAuthors(purging, work);
    yield* removeNames(purging, work);
    if (work.users.size > 0) yield* removeDeeds(purging, work);
    yield* removeSuperseded(purging, work, ['engagement', 'deletions']);
    yield* removeSuperseded(purging, work, ['items']);
    yield* sweep(connection);
    await setMetaNumber(connection.db, PURGED_SEQ, work.until);
    yield 'step';
  }
}

/** All steps at once. Must not run while a message is being written: otherwise it belongs to the writer. */
export async function purge(connection: Connection, timers: Timers): Promise<void> {
  for await (const step of purgeSteps(connection)) if (step === 'sweep') await sweepApart(connection, timers);
}

/**
 * @param hurried from then on it tries once more, and waits for nobody
 * @throws StillNeeded when somebody was reading all the while
 */
export async function sweepApart(
  connection: Connection,
  timers: Timers,
  hurried?: AbortSignal,
): Promise<void> {
  const sweep = connection.sweeper();
  for (let tries = 1; !(await sweep()); tries++) {
    if (tries === APART_SWEEPS_MAX || hurried?.aborted) {
      throw new StillNeeded('a reader, prepared transaction or replication slot still needs what was purged');
    }
    await pause(timers, hurried);
  }
}

function pause(timers: Timers, hurried: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(APART_SWEEP_SECONDS, end);
    function end(): void {
      cancel();
      hurried?.removeEventListener('abort', end);
      resolve();
    }
    hurried?.addEventListener('abort', end);
  });
}

/** Deletions whose versions are about to go keep the author, who may be erased later. */
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

/** Versions of items that stay, and their deletions, name the former author no longer. */
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

/** What erased users did, and what others did with them and their items. */
async function* removeDeeds(purging: Purging, work: PurgeWork): Steps {
  const { db, integersIn } = purging.connection;
  const users = integersIn(JSON.stringify([...work.users.keys()]));
  const items = integersIn(JSON.stringify([...work.items]));
  yield* inStretches(purging, async (after, until) => {
    await db
      .deleteFrom('interactions')
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where((where) => where.or([where('user_key', 'in', users), where('item_key', 'in', items)]))
      .execute();
    await db
      .deleteFrom('event_ids')
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where((where) =>
        where.or([
          where('user_key', 'in', users),
          where('target_key', 'in', users),
          where('item_key', 'in', items),
        ]),
      )
      .execute();
    // What they wrote of items that others have taken over: the row stays, as it ends a deletion, and no fold reads it.
    await db
      .updateTable('items')
      .set({ content: EMPTY_CONTENT })
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where('author_key', 'in', users)
      .where('item_key', 'not in', items)
      .execute();
    for (const table of ['follows', 'blocks'] as const) {
      await db
        .deleteFrom(table)
        .where('seq', '>', after)
        .where('seq', '<=', until)
        .where((where) => where.or([where('user_key', 'in', users), where('target_key', 'in', users)]))
        .execute();
    }
    for (const table of ['users', 'impressions', 'follow_lists'] as const) {
      await db
        .deleteFrom(table)
        .where('seq', '>', after)
        .where('seq', '<=', until)
        .where('user_key', 'in', users)
        .execute();
    }
  });
}

/** Rows about items of erased users, and about deleted items what came before their deletion. */
async function* removeSuperseded(
  purging: Purging,
  { items, deleted }: PurgeWork,
  tables: readonly ('items' | 'engagement' | 'deletions')[],
): Steps {
  const { db, integersIn } = purging.connection;
  const keys = new Set<Key>([...items, ...deleted.keys()]);
  if (keys.size === 0) return;
  const list = JSON.stringify([...keys]);
  yield* inStretches(purging, async (after, until) => {
    for (const table of tables) {
      const rows = await db
        .selectFrom(table)
        .select(['seq', 'item_key'])
        .where('seq', '>', after)
        .where('seq', '<=', until)
        .where('item_key', 'in', integersIn(list))
        .execute();
      const seqs = rows
        .map(({ seq, item_key }) => ({ seq: Number(seq), item_key }))
        .filter(({ seq, item_key }) => items.has(item_key) || seq < (deleted.get(item_key) ?? 0))
        .map(({ seq }) => seq);
      if (seqs.length === 0) continue;
      await db
        .deleteFrom(table)
        .where('seq', 'in', integersIn(JSON.stringify(seqs)))
        .execute();
    }
  });
}

async function* sweep(connection: Connection): Steps {
  if (connection.sweeps_apart) {
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
