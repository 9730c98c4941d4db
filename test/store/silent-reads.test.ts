import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { importFolder } from '../../src/cli/import.ts';
import { LIMITS } from '../../src/limits.ts';
import { readSettings } from '../../src/settings.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { replay } from '../../src/store/replay.ts';
import { PING_SECONDS, TimedReads } from '../../src/store/timed-reads.ts';
import { jsonl, withFolder } from '../interchange/support.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { scrape } from '../support/samples.ts';
import type { TestServer } from '../support/service.ts';
import { ENGINES, optionsFor, refusal, withPlace } from './engines.ts';
import { asked, ITEM, KEY, lockItems, openOn, stored, unreadable } from './reads-of-a-server.ts';
import { type Wire, withWire } from './wire.ts';

const [, postgres] = ENGINES;
const PATIENCE = LIMITS.store_patience_seconds;

const page = (server: TestServer, more: object = {}) =>
  server.post('/v2/farcaster/casts/feed/popular', { top_k: 1, ...more });
const ready = async (server: TestServer) => (await server.call('GET', '/readyz')).status;

test('an unanswered read fails after the timeout, and other requests continue', () =>
  withPlace(postgres, async (place) => {
    const { server, timers } = await openOn(place);
    const unlock = await lockItems(place);
    const readings = [
      await asked(() => stored(server)),
      await asked(() => page(server, { return_metadata: true })),
      await asked(() => server.post('/v2/farcaster/items', [{ ...ITEM, text: 'new' }])),
    ];
    await timers.pass(PATIENCE - 1);
    // The server still answers other queries.
    await server.keys.refresh();
    await timers.pass(1);
    for (const { answer } of readings) unreadable(await answer);
    expect(await ready(server)).toBe(200);
    expect((await server.post('/v2/farcaster/users', [{ user_id: 'b' }])).status).toBe(200);
    await unlock();
    expect((await stored(server)).body.text).toBe('hello');
    await server.close();
  }));

test('a disconnected client stops waiting for contents, and queries that were not sent are never sent', () =>
  withPlace(postgres, async (place) => {
    const { server } = await openOn(place);
    const unlock = await lockItems(place);
    const readings = [];
    for (let reads = 0; reads < 3; reads++) readings.push(await asked(() => stored(server)));
    const caller = new AbortController();
    const { answer } = await asked(() => {
      const body = { user_id: 'b', top_k: 1, impression_count: 1, return_metadata: true };
      return server.call('POST', '/v2/farcaster/casts/feed/popular', body, KEY, caller.signal);
    });
    const item = await asked(() =>
      server.call('GET', '/v2/farcaster/items/i', undefined, KEY, caller.signal),
    );
    const { seq } = server.service.state;
    caller.abort();
    await Promise.all([answer, item.answer]);
    const found = await scrape(server);
    expect(found.get('feedloom_requests_given_up_total')).toBe(2);
    expect(found.get('feedloom_requests_under_way')).toBe(readings.length + 1);
    await unlock();
    for (const { answer } of readings) expect((await answer).body.text).toBe('hello');
    expect(server.service.state.seq).toBe(seq);
    await server.close();
  }));

test('reads that all wait for one table do not make the server silent, because pings use another connection', () =>
  withPlace(postgres, async (place) => {
    const { server, timers } = await openOn(place);
    const unlock = await lockItems(place);
    const readings = [];
    for (let reads = 0; reads < 5; reads++) readings.push(await asked(() => stored(server)));
    const owed = timers.count;
    await timers.pass(2);
    // The answer removes the timers of the silence and of the next ping.
    while (timers.count > owed - 2) await settled();
    const writes = async () => (await server.post('/v2/farcaster/users', [{ user_id: 'b' }])).status;
    await timers.pass(PATIENCE - 2);
    for (const { answer } of readings) unreadable(await answer);
    expect([await ready(server), await writes()]).toEqual([200, 200]);
    await unlock();
    expect((await stored(server)).body.text).toBe('hello');
    await server.close();
  }));

test('the server cancels reads with a timeout when it ends, and nothing else', () =>
  withPlace(postgres, async (place) => {
    const query = sql`select current_setting('statement_timeout'), current_setting('search_path')`;
    const paths = { content: '"$user", public', wallets: 'feedloom_wallets' };
    for (const community of ['content', 'wallets'] as const) {
      const connection = await openConnection({ ...place, community }, 1);
      const { db, values, server } = connection;
      const compiled = query.compile(db);
      for (const { reading } of Object.values(server?.pools ?? {})) {
        expect(await reading.values(compiled)).toEqual([[`${PATIENCE}s`, paths[community]]]);
        const { rows } = await sql`show statement_timeout`.execute(reading.db);
        expect(rows).toEqual([{ statement_timeout: `${PATIENCE}s` }]);
      }
      expect(await values(compiled)).toEqual([['0', paths[community]]]);
      expect(await connection.snapshot((read) => read(compiled))).toEqual([['0', paths[community]]]);
      await connection.close();
    }
  }));

/**
 * Lets time pass until the service pings the server, and waits for the answer. No more time passes meanwhile: a slow
 * machine would open new connections for further pings faster than the server accepts them.
 */
async function untilReady(server: TestServer, timers: ManualTimers): Promise<void> {
  await timers.pass(PING_SECONDS);
  while ((await ready(server)) !== 200) await settled();
}

async function withSilence(
  work: (server: TestServer, timers: ManualTimers, wire: Wire) => Promise<void>,
): Promise<void> {
  await withWire(async (place, wire) => {
    const { server, timers } = await openOn(place);
    wire.hold();
    await work(server, timers, wire);
  });
}

test('a server that answers nothing is silent: reads are refused at once, and requests without reads continue', () =>
  withSilence(async (server, timers, wire) => {
    const first = await asked(() => stored(server));
    await timers.pass(PATIENCE - 1);
    expect(await ready(server)).toBe(200);
    const second = await asked(() => stored(server));
    await timers.pass(1);
    unreadable(await first.answer);
    // It waits no longer than earlier requests.
    unreadable(await second.answer);
    unreadable(await stored(server));
    unreadable(await page(server, { return_metadata: true }));
    expect((await page(server)).status).toBe(200);
    expect(await ready(server)).toBe(503);
    expect((await server.call('GET', '/metrics')).body).toContain('feedloom_ready 0');
    const write = await server.post('/v2/farcaster/users', [{ user_id: 'b' }]);
    expect([write.status, write.body.detail]).toEqual([503, expect.stringContaining('cannot be written')]);
    wire.letGo();
    await untilReady(server, timers);
    expect((await stored(server)).body.text).toBe('hello');
    expect((await page(server, { return_metadata: true })).status).toBe(200);
    await server.close();
  }));

test('dead connections are replaced by new ones', () =>
  withSilence(async (server, timers, wire) => {
    const readings = [];
    for (let reads = 0; reads < 5; reads++) readings.push(await asked(() => stored(server)));
    const refreshes = [];
    for (let keys = 0; keys < 5; keys++) refreshes.push(await asked(() => refusal(server.keys.refresh())));
    for (let passed = 0; passed < PATIENCE + 5; passed++) await timers.pass(1);
    for (const { answer } of readings) unreadable(await answer);
    for (const { answer } of refreshes) expect((await answer).code).toBe('store_unavailable');
    expect(await ready(server)).toBe(503);
    wire.lose();
    await untilReady(server, timers);
    await server.keys.refresh();
    expect((await stored(server)).body.text).toBe('hello');
    wire.cut();
    await server.close();
  }));

test('an empty read sends no query, so it does not count as an answer', () =>
  withSilence(async (server, timers, wire) => {
    const { answer } = await asked(() => stored(server));
    await timers.pass(PATIENCE - 1);
    const { store } = server.service;
    expect([await store.readItems([]), await store.readUsers([])]).toEqual([new Map(), new Map()]);
    await timers.pass(1);
    unreadable(await answer);
    expect(await ready(server)).toBe(503);
    expect(await store.readItems([])).toEqual(new Map());
    wire.letGo();
    await untilReady(server, timers);
    await server.close();
  }));

test('a silent server is noticed by the refresh of keys and logged once', () =>
  withSilence(async (server, timers, wire) => {
    const log_entries: unknown[][] = [];
    const log = { error: (...line: unknown[]) => void log_entries.push(line) };
    for (let call = 0; call < 9; call++) server.keys.keepUp(log);
    await timers.pass(PATIENCE);
    expect(await ready(server)).toBe(503);
    for (let call = 0; call < 9; call++) server.keys.keepUp(log);
    await settled();
    expect(log_entries).toEqual([
      [{ cause: `the store has not answered for ${PATIENCE} s` }, 'keys could not be refreshed'],
    ]);
    wire.letGo();
    await untilReady(server, timers);
    await server.keys.refresh();
    await server.close();
  }));

test('a stopping service sends nothing more to a silent server', () =>
  withSilence(async (server, timers, wire) => {
    const { answer } = await asked(() => stored(server));
    await timers.pass(PATIENCE);
    unreadable(await answer);
    const closing = refusal(server.close());
    // The lock is checked until the end.
    await timers.pass(PATIENCE);
    wire.goDown();
    wire.cut();
    await timers.pass(PATIENCE);
    expect(await closing).toMatchObject({
      code: 'purge_failed',
      message: expect.stringMatching(/could not be removed .* has not answered/),
    });
  }));

test('a full replay fails with the error that the server does not answer', () =>
  withWire(async (place, wire) => {
    const { server } = await openOn(place);
    await server.close();
    const timers = new ManualTimers();
    const beside = await openStore(optionsFor(place, { role: 'beside', timers }));
    const connection = await openConnection(place, 1);
    const { data, database_url } = place;
    const reader_thread = { location: { data, database_url }, from: 0 };
    const timed_reads = new TimedReads(connection, timers);
    const hold = async () => wire.hold();
    const readings = [
      refusal(beside.replay(() => {}, { slice: hold })),
      refusal(replay(connection, () => {}, { reader_thread, timed_reads, slice: hold })),
    ];
    let ended = false;
    const all = Promise.all(readings).finally(() => {
      ended = true;
    });
    while (!ended) {
      await timers.pass(PATIENCE);
      await settled();
    }
    const reason = expect.stringContaining(`(the store has not answered for ${PATIENCE} s)`);
    for (const error of await all)
      expect(error).toMatchObject({ code: 'database_unreachable', message: reason });
    wire.goDown();
    wire.cut();
    await beside.close();
    await connection.close();
  }));

test('an import ends with the cause when the server falls silent', () =>
  withWire((place, wire) =>
    withFolder({ 'users.jsonl': `no record\n${jsonl([{ user_id: 'u' }])}` }, async (folder) => {
      const timers = new ManualTimers();
      let now_ms = 0;
      const read = Promise.withResolvers<void>();
      const print = () => {
        wire.hold();
        read.resolve();
      };
      const progress = { show() {}, print, end() {} };
      const { data, database_url } = place;
      const settings = { ...readSettings({}), data, database_url };
      const options = { strict: false, progress, timers, monotonicMs: () => now_ms };
      const importing = refusal(importFolder(settings, folder, options));
      let ended = false;
      importing.finally(() => {
        ended = true;
      });
      await read.promise;
      for (let pings = 0; !ended; pings++) {
        now_ms += PATIENCE * 1000 + 1;
        await timers.pass(0.5);
        await settled();
        if (pings === 300) wire.goDown();
        if (pings === 300) wire.cut();
      }
      expect(await importing).toMatchObject({
        code: 'store_unavailable',
        // On a busy machine the connections are cut before the timeout of the first read.
        message: expect.stringMatching(
          /^the import was interrupted, as the store cannot be used \((the store has not answered for \d+ s|Failed to connect)\)$/,
        ),
        remedy: expect.stringContaining('import the same files again'),
      });
    }),
  ));
