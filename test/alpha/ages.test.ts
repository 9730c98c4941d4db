import { expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exported, folderWith, importInto, withFolder } from '../interchange/support.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, csv, eventOf, nft, token, withImported, withServer } from './support.ts';

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

const EVENTS = csv([1, token(1), 'mint', 3_000], [2, token(1), 'mint', 1_000]);

/** An event at a time or now, a catalog record, or an import of `EVENTS`. */
type Step = { event: number | undefined } | { record: object } | 'import';
const now: Step = { event: undefined };
const at = (event: number): Step => ({ event });
const dated = (created_at: number): Step => ({ record: { created_at } });
const named: Step = { record: { name: 'One' } };

test.each<[string, Step[], number]>([
  ['of the catalog, which events do not change', [dated(START - 1_000), at(1), now], START - 1_000],
  ['of its first event, which other events do not change', [at(START - 100), at(1)], START - 100],
  ['of its first catalog record, even without a time', [named, at(1)], START],
  ['of the catalog, earlier than its first event', [at(START - 100), dated(START - 5_000)], START - 5_000],
  ['of the catalog, later than its first event', [at(START - 100), dated(START - 10)], START - 10],
  [
    'of its first event, which a record without a time does not change',
    [at(START - 100), named],
    START - 100,
  ],
  ['that the catalog had before', [at(START - 100), dated(START - 900), named], START - 900],
  ['of its earliest event in an import', [now, 'import'], 1_000],
  ['of the catalog, which an import does not change', [dated(START - 900), 'import'], START - 900],
])('a token has the age %s', (_, steps, age) =>
  withServer(async (alpha, server) => {
    for (const step of steps) {
      if (step === 'import')
        await withFolder({ 'events.csv': EVENTS }, (folder) => importInto(server, folder));
      else if ('event' in step) await alpha.events(eventOf(1, token(1), 'mint', step.event));
      else await describeAs(alpha, { item_id: token(1), ...step.record });
    }
    expect(ageOf(server, token(1))).toBe(age);
  }),
);

test('an event needs no more storage if it is earlier than an item with large metadata', async () => {
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

test('an import of an export keeps the ages of the exported items', () =>
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
