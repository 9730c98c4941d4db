import { describe, expect, test } from 'bun:test';
import { readFolder } from '../../src/interchange/files.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { withFolder } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { API_KEY, openTestServer, START, type TestServer } from '../support/service.ts';
import { exported, withImported } from './interchange-support.ts';
import { AlphaClient, type SentEvent, token, wallet, withServer } from './support.ts';

const [ONE, TWO, THREE] = [token(1), token(2), token(3)];
const DAY = 86_400;

function mint(n: number, item_id: string, timestamp?: number): SentEvent {
  return { wallet_address: wallet(n), item_id, event_type: 'mint', ...(timestamp ? { timestamp } : {}) };
}

/** Wallet 1 holds all three items, and many others hold one of them. */
async function trade(alpha: AlphaClient): Promise<void> {
  await alpha.events(mint(1, ONE, START - 90), mint(1, TWO, START - 80), mint(1, THREE, START - 70));
  await alpha.events(mint(2, ONE, START - 60), mint(3, ONE, START - 50), mint(2, TWO, START - 40));
}

const remove = (server: TestServer, path: string) =>
  server.call('DELETE', `/base/${path}`, undefined, { authorization: `Bearer ${API_KEY}` });

async function popular(alpha: AlphaClient): Promise<string[]> {
  const { body } = await alpha.popular();
  return body.items.map(({ itemId }: { itemId: string }) => itemId);
}

describe('an erased wallet', () => {
  test('is unknown at once: it holds nothing, and its pages are those of a new wallet', () =>
    withServer(async (alpha, server) => {
      await trade(alpha);
      expect(await alpha.recommended(wallet(1))).toEqual([]);
      const { status, body } = await remove(server, `wallets/${wallet(1).toUpperCase().replace('X', 'x')}`);
      expect([status, body]).toEqual([200, { status: 'success', message: `wallet '${wallet(1)}' erased` }]);
      expect(await alpha.recommended(wallet(1))).toEqual(await popular(alpha));
      expect((await alpha.recommended(wallet(1))).toSorted()).toEqual([ONE, TWO].toSorted());
      const again = await remove(server, `wallets/${wallet(1)}`);
      expect([again.status, again.body.detail]).toEqual([404, `there is no wallet '${wallet(1)}'`]);
    }));

  test('no longer makes items popular', () =>
    withServer(async (alpha, server) => {
      for (let n = 1; n <= 6; n++) await alpha.events(mint(n, ONE, START - n));
      await alpha.events(mint(7, TWO, START - 5), mint(8, TWO, START - 5));
      expect((await popular(alpha))[0]).toBe(ONE);
      for (let n = 1; n <= 5; n++) expect((await remove(server, `wallets/${wallet(n)}`)).status).toBe(200);
      expect((await popular(alpha))[0]).toBe(TWO);
    }));

  test('does not come back by events from before the erasure, and the answer does not tell that it was erased', () =>
    withServer(async (alpha, server) => {
      await trade(alpha);
      await remove(server, `wallets/${wallet(1)}?timestamp=${START - 10}`);
      const late = await alpha.event(mint(1, ONE, START - 90));
      const of_others = await alpha.event(mint(4, ONE, START - 90));
      expect(late.status).toBe(200);
      expect(late.body).toEqual(of_others.body);
      expect(await alpha.recommended(wallet(1))).toContain(ONE);
      const later = await alpha.event(mint(1, ONE, START - 5));
      expect([later.status, later.body.warnings]).toEqual([200, undefined]);
      expect(await alpha.recommended(wallet(1))).not.toContain(ONE);
    }));

  test.each([0, 30, 60])('does not come back by its own event from %d s after the erasure', (ahead_seconds) =>
    withServer(async (alpha, server) => {
      await trade(alpha);
      const of = mint(4, token(4), START + ahead_seconds);
      await alpha.events(of);
      await remove(server, `wallets/${wallet(4)}`);
      await alpha.events(of);
      server.clock.advance(100);
      await alpha.events(of);
      expect(await popular(alpha)).not.toContain(token(4));
      await alpha.events(mint(4, token(4), START + ahead_seconds + 0.001));
      expect(await popular(alpha)).toContain(token(4));
    }),
  );

  test.each([-5, 0, 30])(
    'comes back by its own event from %d s after the present if the erasure is older',
    (seconds) =>
      withServer(async (alpha, server) => {
        await trade(alpha);
        const of = mint(4, token(4), START + seconds);
        await alpha.events(of);
        await remove(server, `wallets/${wallet(4)}?timestamp=${START - 10}`);
        expect(await popular(alpha)).not.toContain(token(4));
        await alpha.events(of);
        expect(await popular(alpha)).toContain(token(4));
      }),
  );

  test('is forgotten also if the erasure comes first and is dated', () =>
    withServer(async (alpha, server) => {
      const { status, body } = await remove(server, `wallets/${wallet(1)}?timestamp=${START - 10}`);
      expect([status, body.warnings]).toEqual([
        200,
        [`there is no wallet '${wallet(1)}'; a version from before this deletion will change nothing`],
      ]);
      await alpha.events(mint(1, ONE, START - 90));
      expect(await popular(alpha)).toEqual([]);
    }));

  test('may be sent by its source again 90 days later', () =>
    withServer(async (alpha, server) => {
      await trade(alpha);
      await remove(server, `wallets/${wallet(1)}`);
      server.clock.advance(91 * DAY);
      const again = await alpha.event(mint(1, ONE, START - 90));
      expect([again.status, again.body.warnings]).toEqual([200, undefined]);
    }));
});

describe('a deleted token', () => {
  test('is on no page, and the wallets that held it keep what else they hold', () =>
    withServer(async (alpha, server) => {
      await trade(alpha);
      expect((await remove(server, `items/${ONE}`)).status).toBe(200);
      expect((await popular(alpha)).toSorted()).toEqual([TWO, THREE].toSorted());
      expect(await alpha.recommended(wallet(2))).toEqual([THREE]);
      expect((await remove(server, `items/${ONE}`)).status).toBe(404);
    }));

  test('comes back neither by events nor by catalog records, but by "revive": true', () =>
    withServer(async (alpha, server) => {
      await trade(alpha);
      await alpha.items({ item_id: ONE, name: 'One' });
      await remove(server, `items/${ONE}`);
      await remove(server, `wallets/${wallet(1)}`);
      const late = await alpha.event(mint(1, ONE, START - 90));
      expect(late.body).toEqual((await alpha.event(mint(5, ONE, START - 90))).body);
      expect(late.body.warnings).toEqual([
        `an act is from before item '${ONE}' was deleted: it changed nothing`,
      ]);
      await alpha.events(mint(4, ONE));
      const ignored = await alpha.items({ item_id: ONE, name: 'One', created_at: START });
      expect([ignored.status, ignored.body.accepted, ignored.body.warnings]).toEqual([
        200,
        1,
        [
          `item '${ONE}' was deleted: this record changed nothing; send "revive": true to bring it back (first in record 0)`,
        ],
      ]);
      expect(await popular(alpha)).not.toContain(ONE);
      await alpha.items({ item_id: ONE, symbol: 'ONE', revive: true });
      const { body } = await alpha.popular();
      const revived = body.items.find(({ itemId }: { itemId: string }) => itemId === ONE);
      expect([revived.metadata.symbol, revived.metadata.name]).toEqual(['ONE', null]);
      expect((await alpha.items({ item_id: ONE, name: 'Uno' })).body.warnings).toBeUndefined();
    }));
});

test('an unknown wallet or item is a 404, and a bad address names what is allowed', () =>
  withServer(async (_alpha, server) => {
    const unknown = await remove(server, `wallets/${wallet(1)}`);
    expect([unknown.status, unknown.body.detail]).toEqual([404, `there is no wallet '${wallet(1)}'`]);
    expect((await remove(server, `items/${ONE}`)).status).toBe(404);
    const bad = await remove(server, 'wallets/0x12');
    expect([bad.status, bad.body.detail]).toEqual([400, expect.stringContaining('40 hexadecimal digits')]);
    expect((await remove(server, 'items/eth.0x12')).status).toBe(400);
    expect((await remove(server, `items/${ONE}?timestamp=soon`)).status).toBe(400);
  }));

test('removals need a key', () =>
  withServer(async (alpha, server) => {
    await trade(alpha);
    for (const path of [`wallets/${wallet(1)}`, `items/${ONE}`])
      expect((await server.call('DELETE', `/base/${path}`, undefined, {})).status).toBe(401);
    expect(await popular(alpha)).toContain(ONE);
  }));

test('removals stay after a restart, and an export has neither', async () => {
  const data = temporaryFolder('wallet-removals');
  const first = await openTestServer({ data });
  const alpha = new AlphaClient(first);
  await trade(alpha);
  await remove(first, `wallets/${wallet(1)}`);
  await remove(first, `items/${TWO}`);
  const before = await popular(alpha);
  await first.close();
  await using second = await openTestServer({ data });
  expect(await popular(new AlphaClient(second))).toEqual(before);
  const restarted = new AlphaClient(second);
  expect((await restarted.event(mint(5, TWO, START - 90))).body.warnings).toHaveLength(1);
  expect((await restarted.event(mint(1, ONE, START - 90))).status).toBe(200);
  expect(await restarted.recommended(wallet(1))).toEqual(before);
  await withImported(await exported(second), async (elsewhere) => {
    expect(await popular(elsewhere)).toEqual(before);
  });
});

test('an import does not bring an erased wallet or a deleted token back', () =>
  withFolder(
    {
      'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${TWO},mint,${START - 80}\n`,
      'tokens.jsonl': `${JSON.stringify({ item_id: ONE, name: 'One' })}\n`,
    },
    (folder) =>
      withServer(async (alpha, server) => {
        await trade(alpha);
        await remove(server, `wallets/${wallet(1)}`);
        await remove(server, `items/${ONE}`);
        const printed: string[] = [];
        const log = new ImportLog(false, (line) => printed.push(line));
        const { changes } = await server.service.alpha.importFiles(readFolder(folder), log);
        expect(changes).toBe(0);
        expect(printed.join('\n')).toContain(`before wallet '${wallet(1)}' was erased: it changed nothing`);
        expect(printed.join('\n')).toContain('was deleted: this record changed nothing');
        expect(await alpha.recommended(wallet(1))).toContain(TWO);
        expect(await popular(alpha)).not.toContain(ONE);
      }),
  ));
