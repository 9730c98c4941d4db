import { describe, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exported, folderWith, importInto, withFolder } from '../interchange/support.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import {
  AlphaClient,
  csv,
  eventOf,
  testWallets as it,
  nft,
  token,
  withImported,
  withServer,
} from './support.ts';

/** Which data determines the age of a token or NFT, and what an event may cost. */

function ageOf({ service }: TestServer, item_id: string): number {
  const { items } = service.alpha.community!.state;
  return items.created_at(items.names.find(item_id));
}

async function describeAs(alpha: AlphaClient, record: object): Promise<void> {
  expect((await alpha.items(record)).status).toBe(200);
}

/** Events on one item, each with an earlier time than the one before. */
function earlierAndEarlier(item_id: string, count: number) {
  return Array.from({ length: count }, (_, at) => eventOf(at % 50, item_id, 'like', START - 1 - at));
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

describe('an event of the API', () => {
  it('does not change the age of an item that the catalog has dated', async ({ alpha, server }) => {
    await describeAs(alpha, { item_id: nft(1, 1), created_at: START - 1_000 });
    const event = eventOf(1, nft(1, 1), 'mint');
    await alpha.events({ ...event, timestamp: 1 }, event);
    expect(ageOf(server, nft(1, 1))).toBe(START - 1_000);
  });

  it('does not change the age of an item that is known from other events', async ({ alpha, server }) => {
    const event = eventOf(1, token(1), 'mint');
    await alpha.events({ ...event, timestamp: START - 100 }, { ...event, timestamp: 1 });
    expect(ageOf(server, token(1))).toBe(START - 100);
  });

  it('does not change the age of an item that the catalog describes without dating it', async ({
    alpha,
    server,
  }) => {
    await describeAs(alpha, { item_id: token(1), name: 'One' });
    await alpha.events(eventOf(1, token(1), 'mint', 1));
    expect(ageOf(server, token(1))).toBe(START);
  });

  test('needs no more storage if it is earlier than an item with large metadata', async () => {
    const data = folderWith({});
    const attributes = Array.from({ length: 110 }, () => ({ trait_type: 'sky', value: 'x'.repeat(500) }));
    const events = earlierAndEarlier(nft(1, 1), 2_000);
    const first = await openTestServer({ data });
    await describeAs(new AlphaClient(first), { item_id: nft(1, 1), attributes });
    await first.close();
    const before = bytesIn(data);
    const second = await openTestServer({ data });
    const alpha = new AlphaClient(second);
    for (let start = 0; start < events.length; start += 500)
      await Promise.all(events.slice(start, start + 500).map((event) => alpha.events(event)));
    await second.close();
    expect((bytesIn(data) - before) / events.length).toBeLessThan(400);
  });
});

describe('a catalog record', () => {
  test.each([
    ['earlier', START - 5_000],
    ['later', START - 10],
  ])('that tells a time is believed: %s than the first event', (_, created_at) =>
    withServer(async (alpha, server) => {
      const event = eventOf(1, token(1), 'mint');
      await alpha.events({ ...event, timestamp: START - 100 });
      await describeAs(alpha, { item_id: token(1), created_at });
      expect(ageOf(server, token(1))).toBe(created_at);
    }),
  );

  it('without a time does not change the age', async ({ alpha, server }) => {
    const event = eventOf(1, token(1), 'mint');
    await alpha.events({ ...event, timestamp: START - 100 });
    await describeAs(alpha, { item_id: token(1), name: 'One' });
    expect(ageOf(server, token(1))).toBe(START - 100);
    await describeAs(alpha, { item_id: token(1), created_at: START - 900 });
    await describeAs(alpha, { item_id: token(1), name: 'Another' });
    expect(ageOf(server, token(1))).toBe(START - 900);
  });
});

describe('an import', () => {
  const EVENTS = csv([1, token(1), 'mint', 3_000], [2, token(1), 'mint', 1_000]);

  it('gives an item without a catalog record the age of its earliest event', async ({ alpha, server }) => {
    await alpha.events(eventOf(1, token(1), 'mint'));
    await withFolder({ 'events.csv': EVENTS }, (folder) => importInto(server, folder));
    expect(ageOf(server, token(1))).toBe(1_000);
  });

  it('does not change the age of an item that the catalog has dated', async ({ alpha, server }) => {
    await describeAs(alpha, { item_id: token(1), created_at: START - 900 });
    await withFolder({ 'events.csv': EVENTS }, (folder) => importInto(server, folder));
    expect(ageOf(server, token(1))).toBe(START - 900);
  });

  test('of an export keeps the ages of the exported items', () =>
    withImported(
      { 'events.csv': EVENTS, 'tokens.jsonl': `{"item_id":"${token(1)}","created_at":2000}\n` },
      async (_, __, first) => {
        expect(ageOf(first, token(1))).toBe(2_000);
        await withFolder(await exported(first), async (folder) => {
          await using second = await openTestServer();
          await importInto(second, folder);
          await importInto(second, folder);
          expect(ageOf(second, token(1))).toBe(2_000);
        });
      },
    ));
});
