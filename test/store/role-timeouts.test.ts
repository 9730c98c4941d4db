import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { sql } from 'kysely';
import { LIMITS } from '../../src/limits.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ENGINES, optionsFor, type Place, stored, withPlace } from './engines.ts';

/** Timeouts that administrators set for roles and databases. Each session has its own instead. */

const [, postgres] = ENGINES;
const TIMEOUTS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout',
  'idle_session_timeout',
];

/** @param max a value shorter than the waits of a start */
async function limit(place: Place, max: string): Promise<void> {
  const name = new URL(place.database_url ?? '').pathname.slice(1);
  for (const timeout of TIMEOUTS) await place.run(`alter database ${name} set ${timeout} = '${max}'`);
}

test('a service starts after another one was killed, whatever timeouts the role has', () =>
  withPlace(postgres, async (place) => {
    await limit(place, '500ms');
    const file = join(import.meta.dir, 'holding-process.ts');
    const argument = JSON.stringify(optionsFor(place));
    const child = Bun.spawn([process.execPath, file, argument], { stdout: 'pipe', stderr: 'inherit' });
    await child.stdout.getReader().read();
    child.kill('SIGKILL');
    await child.exited;
    const store = await openStore(optionsFor(place));
    expect(await stored(store)).toHaveLength(3);
    await store.close();
  }));

test('connections for reading, writing and copying have their own timeouts', () =>
  withPlace(postgres, async (place) => {
    await limit(place, '2s');
    const query = sql<Record<string, string>>`select ${sql.join(
      TIMEOUTS.map((name) => sql`current_setting(${sql.lit(name)}) as ${sql.ref(name)}`),
    )}`;
    for (const community of ['content', 'wallets'] as const) {
      const connection = await openConnection({ ...place, community }, 1);
      const none = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };
      expect((await query.execute(connection.db)).rows).toMatchObject([none]);
      for (const { reading } of Object.values(connection.server?.pools ?? {})) {
        const statement_timeout = `${LIMITS.store_patience_seconds}s`;
        expect((await query.execute(reading.db)).rows).toMatchObject([{ ...none, statement_timeout }]);
      }
      const unlimited = { ...none, transaction_timeout: '0', idle_session_timeout: '0' };
      const copying = await connection.snapshot((read) => read(query.compile(connection.db)));
      expect(copying).toEqual([Object.values(unlimited)]);
      await connection.db.transaction().execute(async (transaction) => {
        await connection.lockWrites(transaction, undefined);
        const { rows } = await query.execute(transaction);
        // A client that leaves its transaction idle is lost.
        expect(rows).toEqual([{ ...unlimited, idle_in_transaction_session_timeout: '10s' }]);
      });
      await connection.close();
    }
  }));
