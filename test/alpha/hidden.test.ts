import { expect, test } from 'bun:test';
import { exported, importInto, withFolder } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestServer, START } from '../support/service.ts';
import { AlphaClient, eventOf, testWallets as it, token, wallet, withServer } from './support.ts';

const SCAM = token(1);
const FINE = token(2);

/** Many wallets want the scam, and two wallets want both items. */
async function spam(alpha: AlphaClient): Promise<void> {
  for (let n = 1; n <= 6; n++) await alpha.events(eventOf(n, SCAM, 'mint', START - n));
  for (const n of [1, 2]) await alpha.events(eventOf(n, FINE, 'mint', START - n));
  await alpha.events(eventOf(7, FINE, 'like', START - 9));
}

/** The popular page, the page of an unknown wallet, and the page of a wallet that holds neither item. */
async function shown(alpha: AlphaClient): Promise<string[][]> {
  return [await alpha.popularIds(), await alpha.recommended(wallet(99)), await alpha.recommended(wallet(7))];
}

const BOTH = [SCAM, FINE];
const EVERYWHERE = [BOTH, BOTH, BOTH].map((items) => [...items].sort());

async function expectShown(alpha: AlphaClient, items: string[][]): Promise<void> {
  expect((await shown(alpha)).map((page) => page.sort())).toEqual(items);
}

/** Sends records that must be accepted without a warning. */
async function describeAs(alpha: AlphaClient, ...records: object[]): Promise<void> {
  const { body } = await alpha.items(records);
  expect(body).toEqual({ status: 'success', accepted: records.length, rejected_count: 0, rejected: [] });
}

const NOWHERE = [[FINE], [FINE], [FINE]];

it('a hidden item is on no page until a record shows it again', async ({ alpha }) => {
  await spam(alpha);
  await expectShown(alpha, EVERYWHERE);
  await describeAs(alpha, { item_id: SCAM, hidden: true });
  await expectShown(alpha, NOWHERE);
  await describeAs(alpha, { item_id: SCAM, hidden: false });
  await expectShown(alpha, EVERYWHERE);
});

it('a hidden item stays hidden after records without the field and after events', async ({ alpha }) => {
  await spam(alpha);
  await describeAs(alpha, { item_id: SCAM, hidden: true });
  await describeAs(alpha, { item_id: SCAM, name: 'Free money' }, { item_id: SCAM, hidden: null });
  const older = { item_id: SCAM, event_type: 'buy', timestamp: START - 500 };
  await alpha.events({ wallet_address: wallet(8), ...older });
  await alpha.events(eventOf(9, SCAM, 'buy'));
  await expectShown(alpha, NOWHERE);
});

it('an item can be hidden before its first event', async ({ alpha }) => {
  await describeAs(alpha, { item_id: SCAM, hidden: true });
  await spam(alpha);
  await expectShown(alpha, NOWHERE);
});

test('a hidden item is hidden after a restart', async () => {
  const data = temporaryFolder('hidden');
  const first = await openTestServer({ data });
  await spam(new AlphaClient(first));
  await describeAs(new AlphaClient(first), { item_id: SCAM, hidden: true });
  await first.close();
  await using second = await openTestServer({ data });
  await expectShown(new AlphaClient(second), NOWHERE);
  await describeAs(new AlphaClient(second), { item_id: SCAM, hidden: false });
  await expectShown(new AlphaClient(second), EVERYWHERE);
});

test.each([
  [true, NOWHERE],
  [false, EVERYWHERE],
])('an export has it, and an import takes it over: %p', (hidden, pages) =>
  withServer(async (alpha, server) => {
    await spam(alpha);
    await describeAs(alpha, { item_id: SCAM, hidden: true });
    await describeAs(alpha, { item_id: SCAM, hidden });
    const files = await exported(server);
    const [line] = files['tokens.jsonl'].split('\n');
    expect(JSON.parse(line)).toMatchObject({ item_id: SCAM, hidden });
    await withServer(async (other, elsewhere) => {
      await spam(other);
      await describeAs(other, { item_id: SCAM, hidden: !hidden });
      await withFolder(files, (folder) => importInto(elsewhere, folder, true));
      await expectShown(other, pages);
    });
  }),
);

test('retention does not forget that an item is hidden', async () => {
  const rounds = new Rounds();
  const opening = { retires_items: true, timers: rounds };
  await using server = await openTestServer({ settings: { retention_days: 10 }, opening });
  const alpha = new AlphaClient(server);
  await spam(alpha);
  await describeAs(alpha, { item_id: SCAM, hidden: true });
  server.clock.advance(20 * 86_400);
  for (let round = 0; round < 4; round++) await rounds.retire();
  expect((await alpha.popular()).body.items).toEqual([]);
  await spam(alpha);
  await alpha.events(eventOf(9, SCAM, 'mint'));
  await expectShown(alpha, NOWHERE);
  await describeAs(alpha, { item_id: SCAM, hidden: false });
  await expectShown(alpha, EVERYWHERE);
});
