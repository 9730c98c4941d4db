import { expect, test } from 'bun:test';
import { exportWallets } from '../../src/alpha/export.ts';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { readFiles, withFolder } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, token, wallet, withServer } from './support.ts';

const SCAM = token(1);
const FINE = token(2);

/** Many wallets want the scam, and two wallets want both items. */
async function spam(alpha: AlphaClient): Promise<void> {
  for (let n = 1; n <= 6; n++) {
    await alpha.events({
      wallet_address: wallet(n),
      item_id: SCAM,
      event_type: 'mint',
      timestamp: START - n,
    });
  }
  for (const n of [1, 2])
    await alpha.events({
      wallet_address: wallet(n),
      item_id: FINE,
      event_type: 'mint',
      timestamp: START - n,
    });
  await alpha.events({ wallet_address: wallet(7), item_id: FINE, event_type: 'like', timestamp: START - 9 });
}

/** The popular page, the page of an unknown wallet, and the page of a wallet that holds neither item. */
async function shown(alpha: AlphaClient): Promise<string[][]> {
  const { body } = await alpha.popular();
  const popular = body.items.map(({ itemId }: { itemId: string }) => itemId);
  return [popular, await alpha.recommended(wallet(99)), await alpha.recommended(wallet(7))];
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

test('a hidden item is on no page until a record shows it again', () =>
  withServer(async (alpha) => {
    await spam(alpha);
    await expectShown(alpha, EVERYWHERE);
    await describeAs(alpha, { item_id: SCAM, hidden: true });
    await expectShown(alpha, NOWHERE);
    await describeAs(alpha, { item_id: SCAM, hidden: false });
    await expectShown(alpha, EVERYWHERE);
  }));

test('a hidden item stays hidden after records without the field and after events', () =>
  withServer(async (alpha) => {
    await spam(alpha);
    await describeAs(alpha, { item_id: SCAM, hidden: true });
    await describeAs(alpha, { item_id: SCAM, name: 'Free money' }, { item_id: SCAM, hidden: null });
    const older = { item_id: SCAM, event_type: 'buy', timestamp: START - 500 };
    await alpha.events({ wallet_address: wallet(8), ...older });
    await alpha.events({ wallet_address: wallet(9), item_id: SCAM, event_type: 'buy' });
    await expectShown(alpha, NOWHERE);
  }));

test('an item can be hidden before its first event', () =>
  withServer(async (alpha) => {
    await describeAs(alpha, { item_id: SCAM, hidden: true });
    await spam(alpha);
    await expectShown(alpha, NOWHERE);
  }));

test('a value of hidden that is not a boolean is rejected', () =>
  withServer(async (alpha) => {
    const { status, body } = await alpha.items({ item_id: SCAM, hidden: 'yes' });
    expect([status, body.rejected]).toEqual([
      400,
      [{ index: 0, detail: 'hidden: expected true or false; got "yes"' }],
    ]);
  }));

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

/** Exports all data into `folder`. */
async function exportInto(folder: string, { service }: TestServer): Promise<void> {
  const target = new ExportFolder(folder, { force: false, gzip: false });
  await exportWallets(service.alpha.community!.store, target);
  target.finish();
}

test.each([
  [true, NOWHERE],
  [false, EVERYWHERE],
])('an export has it, and an import takes it over: %p', (hidden, pages) =>
  withFolder({}, (folder) =>
    withServer(async (alpha, server) => {
      await spam(alpha);
      await describeAs(alpha, { item_id: SCAM, hidden: true });
      await describeAs(alpha, { item_id: SCAM, hidden });
      await exportInto(folder, server);
      const [line] = readFiles(folder)['tokens.jsonl'].split('\n');
      expect(JSON.parse(line)).toMatchObject({ item_id: SCAM, hidden });
      await withServer(async (other, { service }) => {
        await spam(other);
        await describeAs(other, { item_id: SCAM, hidden: !hidden });
        await service.alpha.importFiles(readFolder(folder), new ImportLog(true, () => {}));
        await expectShown(other, pages);
      });
    }),
  ),
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
  await alpha.events({ wallet_address: wallet(9), item_id: SCAM, event_type: 'mint' });
  await expectShown(alpha, NOWHERE);
  await describeAs(alpha, { item_id: SCAM, hidden: false });
  await expectShown(alpha, EVERYWHERE);
});
