import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import pino from 'pino';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import { closeService, openService, type Service } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { token, wallet } from '../alpha/support.ts';
import { START } from '../support/service.ts';
import { ENGINES, type Engine, testPlace as it, type Place, refusal, withPlace } from './engines.ts';

const WARNING = 40;

/** Opens a service on the data of a place, and collects its log. */
async function open({ data, database_url }: Place): Promise<{ service: Service; log_entries: object[] }> {
  const log_entries: object[] = [];
  const log = pino({ base: undefined }, { write: (line) => log_entries.push(JSON.parse(line)) });
  const settings = { ...readSettings({}), data, database_url };
  const clock = new ManualClock(START);
  return { service: await openService(settings, { command: 'test', clock, monotonicMs, log }), log_entries };
}

/** Holds a snapshot of the current data until the returned function is called. */
const READERS: Record<Engine['name'], (place: Place) => Promise<() => Promise<void>>> = {
  sqlite: async ({ data }) => {
    const reader = new Database(databaseFile(data), { readonly: true });
    reader.run('begin');
    reader.query('select count(*) from users').get();
    return async () => reader.close();
  },
  postgres: async ({ database_url }) => {
    const reader = new SQL({ url: database_url, max: 1 });
    const reserved = await reader.reserve();
    await reserved.unsafe('begin isolation level repeatable read');
    await reserved.unsafe('select count(*) from users');
    return async () => {
      reserved.release();
      await reader.close({ timeout: 0 });
    };
  },
};

async function purgedSeq({ run }: Place): Promise<number> {
  return Number((await run("select value from meta where name = 'purged_seq'"))[0]?.[0] ?? 0);
}

it('a stop beside a reader of erased data is clean, and the next start continues the purge', async (place) => {
  const { service, log_entries } = await open(place);
  await service.ingest.ingest('users', [{ user_id: 'erased' }, { user_id: 'kept' }]);
  const end = await READERS[place.engine.name](place);
  await service.ingest.deleteUser('erased');
  await closeService(service);
  expect(log_entries).toMatchObject([
    {
      level: WARNING,
      cause: expect.stringMatching(/reader|in use/),
      msg: expect.stringMatching(/next start/),
    },
  ]);
  expect(await purgedSeq(place)).toBe(0);
  await end();
  const next = await open(place);
  await closeService(next.service);
  expect(next.log_entries).toEqual([]);
  expect(await purgedSeq(place)).toBeGreaterThan(0);
});

it('a stop that cannot purge erased data reports it', async (place) => {
  const { service } = await open(place);
  await service.ingest.ingest('users', [{ user_id: 'erased' }]);
  await service.ingest.deleteUser('erased');
  await place.run('alter table interactions rename to hidden');
  expect((await refusal(closeService(service))).message).toContain('could not be removed');
  await place.run('alter table hidden rename to interactions');
  const next = await open(place);
  await closeService(next.service);
  expect(await purgedSeq(place)).toBeGreaterThan(0);
});

test('a stop that cannot store the trends of wallets logs it', () =>
  withPlace(ENGINES[0], async (place) => {
    const { service, log_entries } = await open(place);
    await service.alpha.recordEvent({ wallet_address: wallet(1), item_id: token(1), event_type: 'mint' });
    const database = new Database(databaseFile(place.data, 'wallets'));
    database.run('alter table trends rename to hidden');
    database.close();
    await closeService(service);
    expect(log_entries).toMatchObject([
      { level: WARNING, cause: expect.stringContaining('trends'), msg: expect.stringContaining('wallets') },
    ]);
  }));
