import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../src/store/connection.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { ENGINES, optionsFor, type Place, refusal, serve, withPlace } from './engines.ts';

const [, postgres] = ENGINES;

/** After how long the server must know that a host has gone without a word. */
const NOTICED_SECONDS = 10;

/** What the server goes by, as it tells whoever asks within that session. */
const SETTINGS = sql<Record<string, number>>`
  select current_setting('tcp_keepalives_idle')::int as idle,
    current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int as asking,
    current_setting('tcp_user_timeout')::int / 1000 as unacknowledged,
    extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::int as left_alone`;

async function told(query: RawBuilder<Record<string, number>>, { db }: Pick<Connection, 'db'>) {
  const { rows } = await query.execute(db);
  return rows[0];
}

describe('a session on PostgreSQL whose client is gone without a word', () => {
  test('ends soon while it writes, also where something in between goes on answering', () =>
    withPlace(postgres, async (place) => {
      const connection = await openConnection(place, 1);
      const { idle, asking, unacknowledged, left_alone } = await connection.db
        .transaction()
        .execute(async (transaction) => {
          await connection.lockWrites(transaction);
          return told(SETTINGS, { db: transaction });
        });
      expect([idle + asking, unacknowledged, left_alone]).toEqual(Array(3).fill(NOTICED_SECONDS));
      // Who reads may think about it for as long as it takes.
      expect((await told(SETTINGS, connection)).left_alone).toBe(0);
      await connection.close();
    }));

  test('ends soon while it keeps a view of the data, but not for being stopped while it is sent much', () =>
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
/** Of a socket's timer that asks whether the other side is there. */
const KEEPALIVE = '02';

/** For how long the server's end of the lock's connection goes on without asking, seconds; undefined when nobody has it. */
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
    // Another one runs for as long as what was sent last is not acknowledged.
    if (timer === KEEPALIVE) return Number.parseInt(left, 16) / TICKS_PER_SECOND;
  }
}

// Skipped where the system does not list its sockets.
describe.skipIf(!existsSync(SOCKETS))('the lock on the data in PostgreSQL', () => {
  test('is dropped soon after its host has gone, and so is one that was lost and taken again', () =>
    withPlace(postgres, async (place) => {
      const timers = new ManualTimers();
      const { store } = await serve(place, { timers });
      expect(await lockAsksAfter(place)).toBeLessThan(NOTICED_SECONDS);
      await place.run(`select pg_terminate_backend(pid, 10000) from pg_locks where objid = 7136102`);
      while ((await lockAsksAfter(place)) === undefined) await timers.pass(0.5);
      expect(await lockAsksAfter(place)).toBeLessThan(NOTICED_SECONDS);
      await store.close();
    }));

  test('is refused to others with what to do when its host has gone', () =>
    withPlace(postgres, async (place) => {
      const { store } = await serve(place);
      expect(await refusal(openStore(optionsFor(place)))).toMatchObject({
        code: 'data_in_use',
        remedy: expect.stringContaining(`if its host is gone, try again in ${NOTICED_SECONDS} s`),
      });
      await store.close();
    }));
});
