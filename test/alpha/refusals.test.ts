import { Database } from 'bun:sqlite';
import { describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../src/clock.ts';
import { ServiceError } from '../../src/errors.ts';
import type { DatedEvent } from '../../src/interchange/formats.ts';
import { importEvents } from '../../src/interchange/importer.ts';
import { NONE } from '../../src/model/key.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, eventOf, token, wallet } from './support.ts';

type Opening = (write_queue?: number) => Promise<TestServer>;

/** Data that can be opened repeatedly. */
async function withData(run: (open: Opening) => Promise<void>, dir = newFolder()): Promise<void> {
  const clock = new ManualClock(START);
  try {
    await run((write_queue = 20) => openTestServer({ data: dir, clock, settings: { write_queue } }));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'feedloom-alpha-'));
}

/** A wallet's mint of a token, by default the token with its own number. */
function mint(n: number, of_token = n, timestamp = START - 50): DatedEvent {
  return { ...eventOf(n, token(of_token), 'mint'), timestamp };
}

/** Each wallet holds one token and gets all others recommended. Each has its own key. */
async function expectHeld(server: TestServer, held: ReadonlyMap<number, number>): Promise<void> {
  const alpha = new AlphaClient(server);
  const { body } = await alpha.popular('?top_k=500');
  const tokens = [...new Set([...held.values()].map(token))].sort();
  expect(body.items.map(({ itemId }: { itemId: string }) => itemId).sort()).toEqual(tokens);
  const { names } = server.service.alpha.community!.state.users;
  for (const [n, of_token] of held) {
    expect(names.find(wallet(n))).not.toBe(NONE);
    const others = tokens.filter((item_id) => item_id !== token(of_token));
    expect((await alpha.recommended(wallet(n), 500)).sort()).toEqual(others);
  }
  const keys = [...held.keys()].map((n) => names.key(names.find(wallet(n))));
  expect(new Set(keys).size).toBe(held.size);
}

/** Sends requests concurrently, and again after a full queue. Returns the number of rejections. */
async function untilTaken<T>(all: readonly T[], take: (one: T) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(all.map(take));
  const refused = all.filter((_, at) => {
    const outcome = outcomes[at];
    if (outcome.status === 'fulfilled') return false;
    expect(outcome.reason).toBeInstanceOf(ServiceError);
    expect(outcome.reason.code).toBe('write_queue_full');
    return true;
  });
  for (const one of refused) await take(one);
  return refused.length;
}

/** Runs `instead` at the next read of items. */
function onNextRead({ service }: TestServer, instead: () => void): void {
  const { store } = service.alpha.community!;
  const { readItems } = store;
  const reading = spyOn(store, 'readItems').mockImplementation((...asked) => {
    reading.mockRestore();
    instead();
    return readItems(...asked);
  });
}

describe('if the write queue is full', () => {
  test.each([
    ['of wallets', 2, 1],
    ['of wallets', 5, 1],
    ['before the community exists', 2, 0],
  ])('repeated events %s are recorded (%d records)', (_, write_queue, known) =>
    withData(async (open) => {
      const first = await open(write_queue);
      const { alpha } = first.service;
      if (known > 0) await alpha.recordEvent(mint(1));
      const numbers = Array.from({ length: 15 }, (_, at) => at + 1 + known);
      const refused = await untilTaken(
        numbers.map((n) => mint(n)),
        (event) => alpha.recordEvent(event),
      );
      expect(refused).toBe(15 - write_queue);
      const held = new Map(Array.from({ length: 15 + known }, (_, at) => [at + 1, at + 1]));
      await expectHeld(first, held);
      await first.close();
      await using second = await open(write_queue);
      await expectHeld(second, held);
    }),
  );

  test('an event that is too far ahead of the clock is refused because of that', () =>
    withData(async (open) => {
      await using server = await open(1);
      const { alpha } = server.service;
      await alpha.recordEvent(mint(1));
      const events = [mint(2), mint(3), mint(4, 4, START + 61)];
      const outcomes = await Promise.allSettled(events.map((event) => alpha.recordEvent(event)));
      expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
        false,
        'write_queue_full',
        'invalid_value',
      ]);
    }));

  test('repeated catalog records are accepted', () =>
    withData(async (open) => {
      const first = await open(8);
      const { alpha } = first.service;
      await alpha.recordEvent(mint(1));
      const numbers = Array.from({ length: 10 }, (_, at) => at + 2);
      const refused = await untilTaken(numbers, (n) =>
        alpha.ingestItems([{ item_id: token(n), name: `token ${n}` }]),
      );
      expect(refused).toBeGreaterThan(0);
      const names = async ({ service }: TestServer) =>
        (await service.alpha.catalogued(numbers.map(token))).map(({ name }) => name);
      expect(await names(first)).toEqual(numbers.map((n) => `token ${n}`));
      await first.close();
      await using second = await open(8);
      expect(await names(second)).toEqual(numbers.map((n) => `token ${n}`));
    }));
});

describe('while the former version of an item is read', () => {
  /** Token 1 is in the catalog, and wallet 1 holds it. */
  async function openWithCatalog(open: Opening): Promise<TestServer> {
    const server = await open(10_000);
    const { alpha } = server.service;
    await alpha.recordEvent(mint(1));
    await alpha.ingestItems([{ item_id: token(1), name: 'token 1' }]);
    return server;
  }

  /** The same before and after a restart. */
  async function expectKept(
    open: Opening,
    first: TestServer,
    held: ReadonlyMap<number, number>,
  ): Promise<void> {
    await expectHeld(first, held);
    await first.close();
    await using second = await open(10_000);
    await expectHeld(second, held);
    const [{ name }] = await second.service.alpha.catalogued([token(1)]);
    expect(name).toBe('token 1');
  }

  test('a failing read stores nothing of the record, and events are recorded', () =>
    withData(async (open) => {
      const server = await openWithCatalog(open);
      const { alpha } = server.service;
      onNextRead(server, () => {
        throw new Error('the store is gone');
      });
      const records = [{ item_id: token(1), name: 'another' }, { item_id: token(9) }];
      await expect(alpha.ingestItems(records)).rejects.toThrow('the store is gone');
      expect(alpha.community!.state.items.names.find(token(9))).toBe(NONE);
      await alpha.recordEvent(mint(2, 2));
      await alpha.recordEvent(mint(3, 3));
      const held = new Map([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
      await expectKept(open, server, held);
    }));

  test.each(['catalog', 'import'])('a failing commit does not mix up data of wallets: %s', (way) =>
    withData(async (open) => {
      const server = await openWithCatalog(open);
      const { alpha, settings } = server.service;
      const community = alpha.community!;
      onNextRead(server, () => community.ingest.failed());
      const events = [mint(2, 1, START - 100), mint(3, 2, START - 90), mint(4, 3, START - 80)];
      if (way === 'import') await importEvents({ ...community, settings }, events);
      else {
        const described = alpha.ingestItems([{ item_id: token(1), symbol: 'ONE' }]);
        await Promise.all([described, ...events.map((event) => alpha.recordEvent(event))]);
      }
      const held = new Map([
        [1, 1],
        [2, 1],
        [3, 2],
        [4, 3],
      ]);
      await expectKept(open, server, held);
    }),
  );
});

test('of what was learnt only the latest stays, however often the service stops', () => {
  const dir = newFolder();
  return withData(async (open) => {
    const rows: number[] = [];
    for (let n = 1; n <= 5; n++) {
      const server = await open();
      await server.service.alpha.recordEvent(mint(n));
      await server.close();
      using database = new Database(databaseFile(dir, 'wallets'), { readonly: true });
      rows.push(database.query<{ rows: number }, []>('select count(*) as rows from trends').get()?.rows ?? 0);
    }
    expect(rows).toEqual([1, 1, 1, 1, 1]);
  }, dir);
});

test('a catalog in which no record is sound makes no community', async () => {
  await using server = await openTestServer();
  const { status, body } = await server.post('/base/items', [{ item_id: 'nope' }]);
  expect([status, body.code]).toEqual([400, 'invalid_value']);
  expect(server.service.alpha.community).toBeUndefined();
});

test('stored wallets of another chain prevent a start', async () => {
  const data = newFolder();
  try {
    const first = await openTestServer({ data });
    await new AlphaClient(first).events(mint(1));
    await first.close();
    await expect(openTestServer({ data, settings: { chain: 'eth' } })).rejects.toMatchObject({
      code: 'other_chain',
      remedy: expect.stringContaining('--chain base'),
    });
    await using again = await openTestServer({ data });
    expect((await new AlphaClient(again).popular()).body.items).toHaveLength(1);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
