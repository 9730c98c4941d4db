import { expect, test } from 'bun:test';
import { run } from '../cli/run.ts';
import { exported } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, eventOf, testWallets as it, token, wallet } from './support.ts';

const [ERASED, OTHER, THIRD] = [1, 2, 3];
const [ACQUIRED, SOLD, ALONE, NAMED, DATED] = [1, 2, 3, 4, 5].map(token);
/** Times that only events of the erased wallet have. */
const [FIRST, SECOND, LATER] = [START - 9_000, START - 8_000, START - 5_000];

const event = eventOf;

async function eraseAfterTrading(alpha: AlphaClient): Promise<void> {
  for (const item_id of [ACQUIRED, SOLD, ALONE, NAMED, DATED])
    await alpha.events(event(ERASED, item_id, 'mint', FIRST), event(ERASED, item_id, 'like', SECOND));
  await alpha.events(event(OTHER, ACQUIRED, 'buy', LATER + 1), event(THIRD, ACQUIRED, 'view', LATER));
  await alpha.events(event(OTHER, SOLD, 'sell', LATER));
  await alpha.items([
    { item_id: NAMED, name: 'Named' },
    { item_id: DATED, created_at: START - 20_000 },
  ]);
  expect((await alpha.remove(`wallets/${wallet(ERASED)}`)).status).toBe(200);
}

/** The lines of both exported files. */
async function exportedFrom(server: TestServer): Promise<{ events: string; tokens: unknown[] }> {
  const { 'events.csv': events, 'tokens.jsonl': tokens } = await exported(server);
  return {
    events,
    tokens: tokens
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

it('items lose the event times of an erased wallet, and an item that nothing else names is gone', async ({
  alpha,
  server,
}) => {
  await eraseAfterTrading(alpha);
  expect((await alpha.popularIds()).toSorted()).toEqual([ACQUIRED, SOLD, NAMED, DATED].toSorted());
  const { items } = server.service.alpha.community!.state;
  const ages = [ACQUIRED, SOLD, NAMED, DATED].map((item_id) => items.created_at(items.names.find(item_id)));
  expect(ages).toEqual([LATER, LATER, START, START - 20_000]);
  const { events, tokens } = await exportedFrom(server);
  expect(events).not.toContain(String(FIRST));
  expect(tokens).toEqual([
    { item_id: DATED, created_at: START - 20_000 },
    { item_id: NAMED, created_at: START, name: 'Named' },
  ]);
});

it('an item that left with a wallet comes back by an event of another one', async ({ alpha, server }) => {
  await eraseAfterTrading(alpha);
  await alpha.events(event(OTHER, ALONE, 'mint', LATER));
  expect(await alpha.popularIds()).toContain(ALONE);
  const { items } = server.service.alpha.community!.state;
  expect(items.created_at(items.names.find(ALONE))).toBe(LATER);
});

it('events that are stored while the wallet is erased leave no times either', async ({ alpha, server }) => {
  const sent = [6, 7, 8].map((n) => alpha.event(event(ERASED, token(n), 'mint', FIRST)));
  await alpha.events(event(ERASED, ALONE, 'mint', FIRST));
  const erasing = server.service.alpha.eraseWallet(wallet(ERASED), {});
  await Promise.all([...sent, erasing]);
  expect(await alpha.popularIds()).toEqual([]);
});

test('pages and ages are the same after a purge and a restart, and verify finds nothing', async () => {
  const data = temporaryFolder('redated');
  const first = await openTestServer({ data });
  await eraseAfterTrading(new AlphaClient(first));
  const before = [await new AlphaClient(first).popularIds(), await exportedFrom(first)];
  await first.close();
  const verified = await run('verify', '--data', data);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  await using second = await openTestServer({ data });
  expect([await new AlphaClient(second).popularIds(), await exportedFrom(second)]).toEqual(before);
});
