import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../src/store/connection.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { ENGINES, optionsFor, type Place, refusal, serve, withPlace } from './engines.ts';

const [, postgres] = ENGINES;

/** The time within which the server must notice a lost host. */
const NOTICED_SECONDS = 10;

/** The settings of a session, read within it. */
const SETTINGS = sql<Record<string, number>>`
  select current_setting('tcp_keepalives_idle')::int as idle,
    current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int as asking,
    current_setting('tcp_user_timeout')::int / 1000 as unacknowledged,
    extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::int as left_alone`;

async function settingsIn(query: RawBuilder<Record<string, number>>, { db }: Pick<Connection, 'db'>) {
  const { rows } = await query.execute(db);
  return rows[0];
}

describe('a PostgreSQL session whose client host is lost', () => {
  test('ends soon while it writes, even if a proxy keeps answering', () =>
    withPlace(postgres, async (place) => {
      const connection = await openConnection(place, 1);
      const { idle, asking, unacknowledged, left_alone } = await connection.db
        .transaction()
        .execute(async (transaction) => {
          await connection.lockWrites(transaction);
          return settingsIn(SETTINGS, { db: transaction });
        });
      expect([idle + asking, unacknowledged, left_alone]).toEqual(Array(3).fill(NOTICED_SECONDS));
      // A reading client may pause for any time.
      expect((await settingsIn(SETTINGS, connection)).left_alone).toBe(0);
      await connection.close();
    }));

  test('ends soon while it holds a snapshot, but not because its process is paused during a large result', () =>
    withPlace(postgres, async (place) => {
      const connection = await openConnection(place, 1);
      // The same session may have written before.
      await connection.db.transaction().execute(connection.lockWrites);
      const compiled = SETTINGS.compile(connection.db);
      const [[idle, asking, unacknowledged, left_alone]] = await connection.snapshot((read) =>
        read(compiled),
      );
      expect([Number(idle) + Number(asking), unacknowledged, left_alone]).toEqual([NOTICED_SECONDS, 0, 0]);
      await connection.close();
    }));
});

const SOCKETS = '/proc/net/tcp';
const TICKS_PER_SECOND = 100;
/** The code of a socket's keepalive timer. */
const KEEPALIVE = '02';

/** Seconds until the server probes the lock's connection; undefined if there is none. */
async function lockAsksAfter({ run, database_url = '' }: Place): Promise<number | undefined> {
  const [client] = await run(`select client_port from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and objid = 7136102 and granted and datname = current_database()`);
  if (client === undefined) return undefined;
  const ports = [new URL(database_url).port, client[0]];
  const [own, other] = ports.map((port) => `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`);
  for (;;) {
    const sockets = readFileSync(SOCKETS, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    const socket = sockets.find(([, local, remote]) => local?.endsWith(own) && remote?.endsWith(other));
    const [timer, left] = socket?.[5].split(':') ?? [];
    // Another timer runs while sent data is not acknowledged.
    if (timer === KEEPALIVE) return Number.parseInt(left, 16) / TICKS_PER_SECOND;
  }
}

// Skipped where the system does not list its sockets.
describe.skipIf(!existsSync(SOCKETS))('the lock on the data in PostgreSQL', () => {
  test('is released soon after its host is lost, also if it was lost and taken again', () =>
    withPlace(postgres, async (place) => {
      const timers = new ManualTimers();
      const { store } = await serve(place, { timers });
      expect(await lockAsksAfter(place)).toBeLessThan(NOTICED_SECONDS);
      await place.run(`select pg_terminate_backend(pid, 10000) from pg_locks join pg_database on oid = database
        where objid = 7136102 and datname = current_database()`);
      while ((await lockAsksAfter(place)) === undefined) await timers.pass(0.5);
      expect(await lockAsksAfter(place)).toBeLessThan(NOTICED_SECONDS);
      await store.close();
    }));

  test('is refused with a remedy for a lost host', () =>
    withPlace(postgres, async (place) => {
      const { store } = await serve(place);
      expect(await refusal(openStore(optionsFor(place)))).toMatchObject({
        code: 'data_in_use',
        remedy: expect.stringContaining(`if its host is gone, try again in ${NOTICED_SECONDS} s`),
      });
      await store.close();
    }));
});
