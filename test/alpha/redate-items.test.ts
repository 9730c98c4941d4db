import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportWallets } from '../../src/alpha/export.ts';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { run } from '../cli/run.ts';
import { withFolder } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { API_KEY, openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, token, wallet, withServer } from './support.ts';

const [ERASED, OTHER, THIRD] = [wallet(1), wallet(2), wallet(3)];
const [ACQUIRED, SOLD, ALONE, NAMED, DATED] = [1, 2, 3, 4, 5].map(token);
/** Times that only events of the erased wallet have. */
const [FIRST, SECOND, LATER] = [START - 9_000, START - 8_000, START - 5_000];

const event = (wallet_address: string, item_id: string, event_type: string, timestamp: number) => ({
  wallet_address,
  item_id,
  event_type,
  timestamp,
});

async function eraseAfterTrading(alpha: AlphaClient, server: TestServer): Promise<void> {
  for (const item_id of [ACQUIRED, SOLD, ALONE, NAMED, DATED])
    await alpha.events(event(ERASED, item_id, 'mint', FIRST), event(ERASED, item_id, 'like', SECOND));
  await alpha.events(event(OTHER, ACQUIRED, 'buy', LATER + 1), event(THIRD, ACQUIRED, 'view', LATER));
  await alpha.events(event(OTHER, SOLD, 'sell', LATER));
  await alpha.items([
    { item_id: NAMED, name: 'Named' },
    { item_id: DATED, created_at: START - 20_000 },
  ]);
  const path = `/base/wallets/${ERASED}`;
  const { status } = await server.call('DELETE', path, undefined, { authorization: `Bearer ${API_KEY}` });
  expect(status).toBe(200);
}

async function popular(alpha: AlphaClient): Promise<string[]> {
  const { body } = await alpha.popular();
  return body.items.map(({ itemId }: { itemId: string }) => itemId);
}

/** The lines of both exported files. */
async function exported({ service }: TestServer): Promise<{ events: string; tokens: unknown[] }> {
  let lines = { events: '', tokens: [] as unknown[] };
  await withFolder({}, async (folder) => {
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportWallets(service.alpha.community!.store, target);
    target.finish();
    const tokens = readFileSync(join(folder, 'tokens.jsonl'), 'utf8').trim().split('\n');
    lines = {
      events: readFileSync(join(folder, 'events.csv'), 'utf8'),
      tokens: tokens.map((line) => JSON.parse(line)),
    };
  });
  return lines;
}

test('items lose the event times of an erased wallet, and an item that nothing else names is gone', () =>
  withServer(async (alpha, server) => {
    await eraseAfterTrading(alpha, server);
    expect((await popular(alpha)).toSorted()).toEqual([ACQUIRED, SOLD, NAMED, DATED].toSorted());
    const { items } = server.service.alpha.community!.state;
    const ages = [ACQUIRED, SOLD, NAMED, DATED].map((item_id) => items.created_at(items.names.find(item_id)));
    expect(ages).toEqual([LATER, LATER, START, START - 20_000]);
    const { events, tokens } = await exported(server);
    expect(events).not.toContain(String(FIRST));
    expect(tokens).toEqual([
      { item_id: DATED, created_at: START - 20_000 },
      { item_id: NAMED, created_at: START, name: 'Named' },
    ]);
  }));

test('an item that left with a wallet comes back by an event of another one', () =>
  withServer(async (alpha, server) => {
    await eraseAfterTrading(alpha, server);
    await alpha.events(event(OTHER, ALONE, 'mint', LATER));
    expect(await popular(alpha)).toContain(ALONE);
    const { items } = server.service.alpha.community!.state;
    expect(items.created_at(items.names.find(ALONE))).toBe(LATER);
  }));

test('events that are stored while the wallet is erased leave no times either', () =>
  withServer(async (alpha, server) => {
    const sent = [6, 7, 8].map((n) => alpha.event(event(ERASED, token(n), 'mint', FIRST)));
    await alpha.events(event(ERASED, ALONE, 'mint', FIRST));
    const erasing = server.service.alpha.eraseWallet(ERASED, {});
    await Promise.all([...sent, erasing]);
    expect(await popular(alpha)).toEqual([]);
  }));

test('pages and ages are the same after a purge and a restart, and verify finds nothing', async () => {
  const data = temporaryFolder('redated');
  const first = await openTestServer({ data });
  await eraseAfterTrading(new AlphaClient(first), first);
  const before = [await popular(new AlphaClient(first)), await exported(first)];
  await first.close();
  const verified = await run('verify', '--data', data);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  await using second = await openTestServer({ data });
  expect([await popular(new AlphaClient(second)), await exported(second)]).toEqual(before);
});
