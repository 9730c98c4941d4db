import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { sql } from 'kysely';
import { settledHighest } from '../../src/store/commit.ts';
import type { Connection } from '../../src/store/connection.ts';
import { raiseFence } from '../../src/store/fence.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { prepareFolder } from '../../src/store/sqlite/connection.ts';
import { migrate } from '../../src/store/upgrade.ts';
import {
  ADVISORY_LOCKS,
  ENGINES,
  type Engine,
  optionsFor,
  type Place,
  refusal,
  testOn,
  withPlace,
} from './engines.ts';

const [sqlite, postgres] = ENGINES;

async function withConnection(
  engine: Engine,
  work: (connection: Connection, place: Place) => Promise<void>,
): Promise<void> {
  await withPlace(engine, async (place) => {
    if (place.database_url === undefined) prepareFolder(place.data);
    const connection = await openConnection(place, 1);
    await migrate(connection);
    try {
      await work(connection, place);
    } finally {
      await connection.close();
    }
  });
}

testOn('a snapshot that ended with an error blocks no other transaction', (engine) =>
  withConnection(engine, async (connection) => {
    const failed = connection.snapshot(async () => {
      throw new Error('of the caller');
    });
    expect((await refusal(failed)).message).toBe('of the caller');
    expect(await raiseFence(connection)).not.toBe('');
  }),
);

test('a transaction on SQLite has the write lock before it reads', () =>
  withConnection(sqlite, async (connection, { data }) => {
    const other = await openConnection({ data }, 1);
    await other.values({ sql: 'pragma busy_timeout = 0', parameters: [] } as never);
    const meta = { name: 'x', value: 'y' };
    await connection.db.transaction().execute(async () => {
      const write = other.db.insertInto('meta').values(meta).execute();
      expect((await refusal(write)).message).toContain('database is locked');
    });
    await other.db.insertInto('meta').values(meta).execute();
    await other.close();
  }));

for (const [set, becomes] of [
  ['off', 'on'],
  ['local', 'local'],
  ['remote_apply', 'remote_apply'],
]) {
  test(`a write to a PostgreSQL server with synchronous_commit ${set} is durable when it is acknowledged`, () =>
    withPlace(postgres, async (place) => {
      const name = new URL(place.database_url ?? '').pathname.slice(1);
      await place.run(`alter database ${name} set synchronous_commit = ${set}`);
      const connection = await openConnection(place, 1);
      const shown = await connection.db.transaction().execute(async (transaction) => {
        await connection.lockWrites(transaction);
        return sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(transaction);
      });
      expect(shown.rows).toEqual([{ synchronous_commit: becomes }]);
      await connection.close();
    }));
}

test('a PostgreSQL database whose encoding lacks characters is refused', () =>
  withPlace(postgres, async (place) => {
    await place.run("create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    const url = new URL(place.database_url ?? '');
    url.pathname = '/latin';
    const opening = openStore(optionsFor({ ...place, database_url: url.href }));
    expect(await refusal(opening)).toMatchObject({
      code: 'database_unsuitable',
      message:
        "the PostgreSQL database 'latin' keeps texts as LATIN1; it must be UTF8, which has room for every character",
    });
  }));

test('a transaction that waited for a writer on PostgreSQL sees its writes, with any default isolation', () =>
  withPlace(postgres, async (place) => {
    const name = new URL(place.database_url ?? '').pathname.slice(1);
    await place.run(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
    const connection = await openConnection(place, 1);
    await migrate(connection);
    const fence = await raiseFence(connection);
    const server = new SQL({ url: place.database_url, max: 1 });
    const writer = await server.reserve();
    await writer.unsafe('begin');
    await writer.unsafe('select pg_advisory_xact_lock(7136101)');
    await writer.unsafe("update meta set value = '5' where name = 'highest_seq'");
    const settled = settledHighest(connection, fence);
    while ((await place.run(`${ADVISORY_LOCKS} and not granted`)).length === 0);
    await writer.unsafe('commit');
    expect(await settled).toBe(5);
    writer.release();
    await server.close();
    await connection.close();
  }));
