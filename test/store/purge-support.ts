import { expect } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { batchOf } from '../../src/store/batch.ts';
import { commitBatch } from '../../src/store/commit.ts';
import type { Connection } from '../../src/store/connection.ts';
import { raiseFence } from '../../src/store/fence.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import type { Steps } from '../../src/store/purge-work.ts';
import { replay } from '../../src/store/replay.ts';
import { prepareFolder } from '../../src/store/sqlite/connection.ts';
import { CHANGE_TABLES } from '../../src/store/tables.ts';
import { migrate } from '../../src/store/upgrade.ts';
import { type Engine, testOn, withPlace } from './engines.ts';

/** Support for tests that purge a connection. */

/** Stores changes after those up to `expected`. */
export async function append(
  connection: Connection,
  changes: readonly Change[],
  expected: number,
): Promise<void> {
  const batch = batchOf(changes, expected + 1);
  const fence = await raiseFence(connection);
  const order = { type: 'write', expected, batch } as const;
  expect(await commitBatch(connection, fence, order)).toEqual({ type: 'written' });
}

/** All stored changes. */
export async function rowsOf(connection: Connection): Promise<Change[]> {
  const rows: Change[] = [];
  await replay(connection, (change) => rows.push(change), { with_events: true });
  return rows;
}

/** Runs a purge for at most `steps` steps. */
export async function run(connection: Connection, purging: Steps, steps: number): Promise<void> {
  let left = steps;
  for await (const step of purging) {
    if (step === 'sweep') await connection.sweeper()();
    if (--left <= 0) return;
  }
}

async function emptied({ db }: Connection): Promise<void> {
  for (const { table } of CHANGE_TABLES) await db.deleteFrom(table).execute();
  await db.deleteFrom('meta').where('name', '!=', 'keys_revision').execute();
  await db.insertInto('meta').values({ name: 'highest_seq', value: '0' }).execute();
}

/** Runs `work` on a database that is emptied before each call of `fresh`. */
export async function withConnection(
  engine: Engine,
  work: (fresh: () => Promise<Connection>) => Promise<void>,
): Promise<void> {
  await withPlace(engine, async (place) => {
    if (place.database_url === undefined) prepareFolder(place.data);
    const connection = await openConnection(place, 1);
    try {
      await migrate(connection);
      await work(async () => {
        await emptied(connection);
        return connection;
      });
    } finally {
      await connection.close();
    }
  });
}

/** A test on each engine, with a database that is emptied before each call of `fresh`. */
export function testConnection(
  name: string,
  work: (fresh: () => Promise<Connection>, engine: Engine) => Promise<void>,
): void {
  testOn(name, (engine) => withConnection(engine, (fresh) => work(fresh, engine)));
}
