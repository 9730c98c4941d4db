import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../src/limits.ts';
import { LogUpkeep } from '../../src/store/log-upkeep.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { forFile, openTestServer } from '../support/service.ts';
import { itemVersion } from './changes.ts';
import { ENGINES, serve, stored, withPlace } from './engines.ts';

const [sqlite, postgres] = ENGINES;
const TEXT = 'x'.repeat(100_000);

test('the log of the database shrinks soon after a program outside that reads has ended, which is named meanwhile', () =>
  withPlace(sqlite, async (place) => {
    const { store } = await serve(place);
    const file = join(place.data, 'feedloom.sqlite-wal');
    const size = () => statSync(file).size;
    const timers = new ManualTimers();
    const lines: string[] = [];
    const line = (fields: unknown, text?: string) => void lines.push(`${JSON.stringify(fields)} ${text}`);
    const upkeep = new LogUpkeep(() => [store], timers, { info: line, warn: line });
    const check = async () => {
      await timers.pass(LIMITS.database_log_check_seconds);
      // The order of the check has been handled, and the next one is due.
      await store.keys.list();
      while (timers.count === 0) await settled();
    };
    await check();
    expect([lines, store.log_bytes]).toEqual([[], size()]);

    const outside = new Database(join(place.data, 'feedloom.sqlite'), { readonly: true });
    outside.run('begin');
    outside.query('select count(*) from meta').get();
    const items = Array.from({ length: 250 }, (_, at) => itemVersion(at + 1, 1, TEXT));
    await store.submit(items);
    const grown = size();
    expect(grown).toBeGreaterThan(LIMITS.database_log_bytes_max);
    expect(store.log_bytes).toBe(grown);
    for (let checks = 0; checks < 5; checks++) await check();
    expect(lines).toEqual([expect.stringContaining(`{"bytes":${grown}} the write-ahead log`)]);
    expect(lines[0]).toContain('has had a transaction open');

    outside.run('commit');
    await check();
    expect([size(), store.log_bytes]).toEqual([0, 0]);
    expect(lines.slice(1)).toEqual([expect.stringContaining('was emptied')]);
    outside.close();
    expect(await stored(store)).toHaveLength(items.length);
    upkeep.stop();
    expect(timers.count).toBe(0);
    await store.close();
  }));

test('a server has no such log', () =>
  withPlace(postgres, async (place) => {
    const { store } = await serve(place);
    expect([store.log_bytes, await store.shrinkLog()]).toEqual([undefined, true]);
    await store.close();
  }));

const server = await forFile(openTestServer());

test('the size of the log is a metric', async () => {
  const { body } = await server.call('GET', '/metrics', undefined, {});
  const [, bytes] = /^feedloom_database_log_bytes\{community="content"\} (\d+)$/m.exec(String(body)) ?? [];
  expect(Number(bytes)).toBe(statSync(join(server.dir, 'feedloom.sqlite-wal')).size);
});
